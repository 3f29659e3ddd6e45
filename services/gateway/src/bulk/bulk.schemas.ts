import { timestampDate } from '@bufbuild/protobuf/wkt';
import { BulkAction, BulkState, type BulkJob } from '@warren/proto/devices/v1/bulk';
import { z } from 'zod';
import { filterText } from '../devices/device.schemas.ts';
import { accountFilterSchema, idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const MOST_IDS = 1_000;
const MOST_DEVICES = 50_000;

/** Actions by their names in the API. */
export const BULK_ACTIONS = {
  reboot: BulkAction.REBOOT,
  update: BulkAction.UPDATE,
  move: BulkAction.MOVE,
  delete: BulkAction.DELETE,
  enable_console: BulkAction.ENABLE_CONSOLE,
  disable_console: BulkAction.DISABLE_CONSOLE,
  enable_web: BulkAction.ENABLE_WEB,
  disable_web: BulkAction.DISABLE_WEB,
} as const;
type ActionName = keyof typeof BULK_ACTIONS;
const ACTION_NAMES = Object.keys(BULK_ACTIONS) as [ActionName, ...ActionName[]];

const STATES = {
  [BulkState.UNSPECIFIED]: 'running',
  [BulkState.RUNNING]: 'running',
  [BulkState.DONE]: 'done',
  [BulkState.CANCELLED]: 'cancelled',
} as const;

const actionSchema = z
  .enum(ACTION_NAMES)
  .describe(
    'update: offers the version of the open rollout that includes the device. console: terminals and desktop; web: the web service.',
  );

export const startBulkJobBody = z
  .object({
    action: actionSchema,
    ids: z
      .array(idSchema)
      .min(1, 'expected at least one device')
      .max(MOST_IDS, `expected at most ${MOST_IDS} devices`)
      .optional()
      .describe('The devices. If absent, all that `filter` matches in `account`.'),
    filter: filterText.optional(),
    account: accountFilterSchema,
    target: idSchema.optional().describe('The account to move the devices to; for `move` alone.'),
    at_most: z
      .int()
      .min(1)
      .max(MOST_DEVICES)
      .default(MOST_DEVICES)
      .describe('Refuses the job if the filter matches more devices.'),
  })
  .superRefine(({ ids, filter }, context) => {
    if ((ids === undefined) !== (filter === undefined)) return;
    for (const path of ['ids', 'filter'])
      context.addIssue({ code: 'custom', path: [path], message: 'expected either ids or a filter' });
  })
  .refine(({ action, target }) => (action === 'move') === (target !== undefined), {
    path: ['target'],
    error: 'expected an account for move, and nothing for other actions',
  })
  .meta({ id: 'StartBulkJob', examples: [{ action: 'reboot', filter: 'site=north', at_most: 40 }] });
export type StartBulkJobBody = z.output<typeof startBulkJobBody>;

const count = z.int().min(0);
const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
const EXAMPLE = {
  id: ID,
  action: 'reboot' as const,
  state: 'running' as const,
  filter: 'site=north',
  filter_account: 'Meadow Farms',
  target: null,
  started_by: FLEET.owner.name,
  cancelled_by: null,
  created: '2026-01-31T08:15:30.000Z',
  finished: null,
  counts: { total: 40, waiting: 18, running: 0, done: 20, failed: 2, cancelled: 0 },
};

const bulkJobSchema = z
  .object({
    id: idSchema,
    action: actionSchema,
    state: z.enum(['running', 'done', 'cancelled']),
    filter: z.string().nullable().describe('Null where devices were selected by id.'),
    filter_account: z.string().nullable().describe('Name of the account that the filter was for; null for all.'),
    target: z.object({ id: idSchema, name: z.string() }).nullable().describe('The account that devices move to.'),
    started_by: z.string(),
    cancelled_by: z.string().nullable(),
    created: timeSchema,
    finished: timeSchema.nullable(),
    counts: z.object({
      total: count,
      waiting: count,
      running: count,
      done: count,
      failed: count,
      cancelled: count.describe('Left as they were when the job was cancelled.'),
    }),
  })
  .meta({ id: 'BulkJob', examples: [EXAMPLE] });

export const bulkJobListSchema = z
  .object({ jobs: z.array(bulkJobSchema).describe('Newest first, at most 20.') })
  .meta({ id: 'BulkJobList', examples: [{ jobs: [EXAMPLE] }] });

export const bulkJobDetailSchema = bulkJobSchema
  .extend({
    failures: z
      .array(
        z.object({
          code: z
            .string()
            .describe(
              'What clients decide by: offline, rights_withdrawn, moved, no_rollout, interrupted, no_answer, or the code of an error.',
            ),
          reason: z.string().describe('For people.'),
          count,
          devices: z
            .array(z.object({ id: z.string(), name: z.string().describe('Empty for a device that you may not see.') }))
            .describe('By name; at most 1,000 in all failures.'),
        }),
      )
      .describe('By reason, the most frequent first, at most 20.'),
  })
  .meta({
    id: 'BulkJobDetail',
    examples: [
      {
        ...EXAMPLE,
        failures: [
          { code: 'offline', reason: 'The device is not connected.', count: 2, devices: [{ id: ID, name: 'pump-3' }] },
        ],
      },
    ],
  });

export function bulkJobJson(job: BulkJob): z.output<typeof bulkJobSchema> {
  const { total = 0, waiting = 0, running = 0, done = 0, failed = 0, cancelled = 0 } = job.counts ?? {};
  return {
    id: job.id,
    action: ACTION_NAMES.find((name) => BULK_ACTIONS[name] === job.action) ?? 'reboot',
    state: STATES[job.state],
    filter: job.filter ?? null,
    filter_account: job.filterAccountName || null,
    target: job.targetAccountId ? { id: job.targetAccountId, name: job.targetAccountName } : null,
    started_by: job.startedBy,
    cancelled_by: job.cancelledBy || null,
    created: isoTime(job.created),
    finished: job.finished ? timestampDate(job.finished).toISOString() : null,
    counts: { total, waiting, running, done, failed, cancelled },
  };
}

export function bulkJobDetailJson(job: BulkJob): z.output<typeof bulkJobDetailSchema> {
  return {
    ...bulkJobJson(job),
    failures: job.failures.map(({ code, reason, count: failed, devices }) => ({
      code,
      reason,
      count: failed,
      devices: devices.map(({ id, name }) => ({ id, name })),
    })),
  };
}
