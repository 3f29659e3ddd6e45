import { z } from 'zod';
import { accountFilterSchema, idSchema, pageFields, timeSchema, totalSchema } from '../http/schemas.ts';
import { agentVersionSchema } from '../install/signed.manifest.ts';
import { FLEET } from '../http/example.fleet.ts';
import { doneSchema } from '../http/done.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const AT = '2026-01-31T08:15:30.000Z';

const version = agentVersionSchema.describe('Semantic version of the agent.').meta({ examples: ['0.2.0'] });
const share = z.int().min(1).max(100).describe('Percent of the devices, 1 to 100; which ones stays the same.');

export const releaseListSchema = z
  .object({
    releases: z
      .array(
        z.object({
          version,
          packages: z.array(z.object({ os: z.string(), arch: z.string(), size: z.int().describe('Bytes.') })),
        }),
      )
      .describe('Newest first.'),
    installed: version.describe('What new devices get.'),
    newer: z.string().describe('The newest release, if it is newer than the version asked about; else empty.'),
  })
  .meta({
    id: 'ReleaseList',
    examples: [
      {
        releases: [{ version: '0.2.0', packages: [{ os: 'linux', arch: 'arm64', size: 40_200_000 }] }],
        installed: '0.2.0',
        newer: '',
      },
    ],
  });

export const listReleasesQuery = z.object({
  than: z.string().max(64).default('').describe('A version to compare with, as a device reports it.'),
});
export type ListReleasesQuery = z.output<typeof listReleasesQuery>;

export const agentVersionsQuery = z.object({ account: accountFilterSchema });
export type AgentVersionsQuery = z.output<typeof agentVersionsQuery>;

export const agentVersionListSchema = z
  .object({
    versions: z
      .array(z.object({ version: z.string(), devices: z.int(), connected: z.int() }))
      .describe('What devices say they run, newest first; empty for those that say nothing.'),
  })
  .meta({ id: 'AgentVersionList', examples: [{ versions: [{ version: '0.1.0', devices: 12, connected: 11 }] }] });

export const ROLLOUT_STATES = ['running', 'paused', 'rolled_back', 'done'] as const;

export const rolloutSchema = z
  .object({
    id: idSchema,
    version,
    account: z.object({ id: idSchema, name: z.string() }).nullable().describe('Null: every account.'),
    share,
    state: z.enum(ROLLOUT_STATES),
    why: z.string().describe('Why it stopped by itself; empty when a person did it.'),
    created: timeSchema,
    created_by: z.string(),
    counts: z
      .object({
        waiting: z.int().describe('Away, or not their turn.'),
        busy: z.int().describe('Wait for open terminals.'),
        updating: z.int(),
        download_failed: z.int().describe('Their download failed; they try again by themselves.'),
        trial: z.int().describe('Run the version, and have not passed their trial yet.'),
        updated: z.int(),
        failed: z.int(),
        flapping: z.int().describe('The version crashes there again and again.'),
        returning: z.int().describe('On the way back to the former version.'),
        returned: z.int(),
      })
      .describe('Devices of its share.'),
    wait: z
      .object({
        devices: z.int().describe('Connected devices; they count as waiting.'),
        opens: timeSchema.describe('When the first of these windows opens.'),
        time_zone: z.string().describe('IANA time zone of that window.'),
      })
      .nullable()
      .describe('Devices that wait for the update windows of their accounts; null for none.'),
  })
  .meta({
    id: 'Rollout',
    examples: [
      {
        id: ID,
        version: '0.2.0',
        account: FLEET.account,
        share: 10,
        state: 'running',
        why: '',
        created: AT,
        created_by: FLEET.owner.name,
        counts: {
          waiting: 2,
          busy: 1,
          updating: 2,
          download_failed: 0,
          trial: 1,
          updated: 4,
          failed: 0,
          flapping: 0,
          returning: 0,
          returned: 0,
        },
        wait: { devices: 1, opens: '2026-01-31T01:00:00.000Z', time_zone: 'Europe/Berlin' },
      },
    ],
  });

export const listRolloutsQuery = z.object(pageFields(20)).omit({ search: true });
export type ListRolloutsQuery = z.output<typeof listRolloutsQuery>;

export const rolloutListSchema = z
  .object({ total: totalSchema, rollouts: z.array(rolloutSchema).describe('Newest first.') })
  .meta({ id: 'RolloutList' });

/** The whole fleet has to be selected explicitly, not by omission. */
const rolloutScope = z
  .string()
  .refine((text) => text === 'ALL' || idSchema.safeParse(text).success, 'expected the id of an account, or ALL')
  .transform((account) => (account === 'ALL' ? '' : account))
  .describe('Id of an account, or ALL for every account.');

export const startRolloutBody = z
  .object({ version, account: rolloutScope, share })
  .meta({ id: 'StartRollout', examples: [{ version: '0.2.0', account: 'ALL', share: 10 }] });
export type StartRolloutBody = z.output<typeof startRolloutBody>;

export const rolloutShareBody = z.object({ share }).meta({ id: 'RolloutShare', examples: [{ share: 50 }] });
export type RolloutShareBody = z.output<typeof rolloutShareBody>;

export const ROLLOUT_CHANGES = ['pause', 'resume', 'roll_back', 'end'] as const;
export const rolloutChangeSchema = z.enum(ROLLOUT_CHANGES);

export const rolloutChangedSchema = doneSchema.extend({ result: rolloutSchema }).meta({ id: 'RolloutChanged' });

export const ROLLOUT_DEVICE_STATES = [
  ...(['updating', 'busy', 'download_failed', 'trial', 'updated', 'failed', 'flapping'] as const),
  ...(['returning', 'returned', 'newer', 'window'] as const),
] as const;

export const rolloutDeviceListSchema = z
  .object({
    total: totalSchema,
    devices: z
      .array(
        z.object({
          id: idSchema,
          name: z.string(),
          account: z.object({ id: idSchema, name: z.string() }),
          state: z
            .enum(ROLLOUT_DEVICE_STATES)
            .describe(
              'busy: waits for open terminals. download_failed: tries again by itself. trial: runs the version, and has not passed its trial. newer: runs a newer version. window: waits for the update window of its account; not offered yet.',
            ),
          why: z.string().describe('Why it or its download failed, or why it flaps; else empty.'),
          from: z.string().describe('The version that it had, or has while it waits.'),
          since: timeSchema,
        }),
      )
      .describe('Those that failed first, then those that wait for a window.'),
  })
  .meta({
    id: 'RolloutDeviceList',
    examples: [
      {
        total: 1,
        devices: [
          { ...FLEET.device, account: FLEET.account, state: 'updated', why: '', from: '0.1.0', since: FLEET.at },
        ],
      },
    ],
  });
