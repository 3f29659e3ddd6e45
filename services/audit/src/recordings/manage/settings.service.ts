import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import {
  RecordingFull,
  RecordingPolicy,
  type RecordingSettings,
  type RecordingSettingsResponseSchema,
} from '@warren/proto/audit/v1/recordings';
import { filterText } from '@warren/rules/filter/saved';
import { recordingDays, recordingQuota, recordingRedactions } from '@warren/rules/recordings/settings';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { EventStore } from '../../recording/event.store.ts';
import { audited } from '../audited.ts';
import { requireExpression } from '../redact/redactions.ts';
import { RECORDING_DEFAULTS, type RecordingDefaults } from '../keep/quota.ts';
import { putSettings, settingsOf, usageOf, type Settings } from '../keep/usage.sql.ts';
import { RecordingKeys } from '../store/recording.keys.ts';
import { RecordingStore } from '../store/recording.store.ts';

type Answer = MessageInitShape<typeof RecordingSettingsResponseSchema>;

/** What applies to an account that never changed its settings. */
export const UNCHANGED: Settings = {
  version: 0,
  policy: RecordingPolicy.OFF,
  filter: '',
  days: null,
  quota: null,
  full: RecordingFull.DROP_OLDEST,
  redactions: [],
  search: true,
  desktops: false,
};

const schema = z.object({
  policy: z.union([
    z.literal(RecordingPolicy.OFF),
    z.literal(RecordingPolicy.BEST_EFFORT),
    z.literal(RecordingPolicy.REQUIRED),
  ]),
  filter: filterText,
  days: recordingDays.nullable(),
  quota: recordingQuota.nullable(),
  full: z.union([z.literal(RecordingFull.DROP_OLDEST), z.literal(RecordingFull.REFUSE)]),
  redactions: recordingRedactions,
  search: z.boolean(),
  desktops: z.boolean(),
});

/** Whether the sessions of an account are recorded, for how long, and how much of them. */
@Injectable()
export class RecordingSettingsService {
  constructor(
    private readonly source: DataSource,
    private readonly events: EventStore,
    private readonly keys: RecordingKeys,
    private readonly store: RecordingStore,
    @Inject(RECORDING_DEFAULTS) private readonly defaults: RecordingDefaults,
  ) {}

  /** Why nothing can be recorded, for people; undefined if it can. */
  get problem(): string | undefined {
    return this.keys.problem ?? this.store.problem;
  }

  /** @throws Fault `permission_denied`; `not_found` */
  async get(caller: Caller, accountId: string): Promise<Answer> {
    requireMay(caller, 'recordings.view', accountId);
    return this.answer(accountId, (await settingsOf(this.source, accountId)) ?? UNCHANGED);
  }

  /**
   * Replaces the settings of an account.
   * @throws Fault `permission_denied`; `not_found`; `invalid_argument`; `failed_precondition` if they were changed meanwhile, or without CHANNEL_KEY
   */
  async set(
    caller: Caller,
    request: { accountId: string; settings?: RecordingSettings; version?: number },
  ): Promise<Answer> {
    const { accountId, settings } = request;
    requireMay(caller, 'recordings.manage', accountId);
    const before = (await settingsOf(this.source, accountId)) ?? UNCHANGED;
    const after = { ...inputOf(settings), version: before.version };
    // The event has what was replaced, so only the version that was read is.
    if ((request.version ?? before.version) !== before.version) throw changedMeanwhile();
    if (after.policy !== RecordingPolicy.OFF && this.keys.problem)
      throw new Fault('failed_precondition', this.keys.problem);
    const event = audited(caller, {
      action: 'recording.set_policy',
      accountId,
      target: { kind: 'recording_settings', id: accountId },
      before: auditedFields(before),
      after: auditedFields(after),
    });
    await this.events.storeWith([event], async (manager) => {
      if (await putSettings(manager, accountId, after)) return;
      throw changedMeanwhile();
    });
    return this.answer(accountId, { ...after, version: after.version + 1 });
  }

  private async answer(accountId: string, { version, days, quota, ...settings }: Settings): Promise<Answer> {
    const { bytes, recordings } = await usageOf(this.source, accountId);
    return {
      settings: { ...settings, ...(days !== null && { days }), ...(quota !== null && { quota: BigInt(quota) }) },
      version,
      defaultDays: this.defaults.days,
      defaultQuota: BigInt(this.defaults.quota),
      used: BigInt(bytes),
      recordings,
      problem: this.problem ?? '',
    };
  }
}

const changedMeanwhile = () =>
  new Fault('failed_precondition', 'the settings were changed meanwhile: load them again.');

/** @throws Fault `invalid_argument` */
function inputOf(settings: RecordingSettings | undefined): Omit<Settings, 'version'> {
  const { days = null, quota, ...rest } = settings ?? ({} as Partial<RecordingSettings>);
  const parsed = schema.safeParse({ ...rest, days, quota: quota === undefined ? null : Number(quota) });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidInput({ field: String(issue?.path[0] ?? 'settings'), message: issue?.message ?? 'expected settings' });
  }
  parsed.data.redactions.forEach(requireExpression);
  return parsed.data;
}

const POLICIES = ['', 'off', 'best_effort', 'required'];
const FULL = ['', 'drop_oldest', 'refuse'];

const auditedFields = ({ policy, full, version: _, ...rest }: Settings) => ({
  ...rest,
  policy: POLICIES[policy] ?? '',
  full: FULL[full] ?? '',
});
