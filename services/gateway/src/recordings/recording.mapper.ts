import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { may } from '@warren/platform/policy/policy';
import type { UserCaller } from '@warren/platform/rpc/caller';
import {
  RecordingFormat,
  RecordingFull,
  RecordingKind,
  RecordingPolicy,
  type Recording,
  type RecordingSettingsResponse,
  type RecordingSettingsSchema,
} from '@warren/proto/audit/v1/recordings';
import type { RecordingFormat as FormatName, RecordingKind as KindName } from '@warren/rules/recordings/settings';
import { isoTime } from '../http/schemas.ts';
import type { RecordingJson } from './recording.schemas.ts';
import type { SetRecordingSettingsBody } from './settings.schemas.ts';

const KINDS: Readonly<Record<KindName, RecordingKind>> = {
  terminal: RecordingKind.TERMINAL,
  desktop: RecordingKind.DESKTOP,
};
const POLICIES = {
  off: RecordingPolicy.OFF,
  best_effort: RecordingPolicy.BEST_EFFORT,
  required: RecordingPolicy.REQUIRED,
} as const;
const FULL = { drop_oldest: RecordingFull.DROP_OLDEST, refuse: RecordingFull.REFUSE } as const;
const FORMATS: Readonly<Record<FormatName, RecordingFormat>> = {
  asciicast: RecordingFormat.ASCIICAST,
  text: RecordingFormat.TEXT,
};

export const kindOf = (name: KindName | undefined) => (name ? KINDS[name] : RecordingKind.UNSPECIFIED);
export const formatOf = (name: FormatName) => FORMATS[name];
export const timestampOf = (time: string | undefined): Timestamp | undefined =>
  time === undefined ? undefined : timestampFromDate(new Date(time));
const timeOf = (time: Timestamp | undefined) => (time ? timestampDate(time).toISOString() : null);

/** A recording as the API has it. @param accountName empty if the account is deleted */
export function recordingJson(one: Recording, user: UserCaller, accountName: string): RecordingJson {
  const { hold } = one;
  return {
    id: one.id,
    account: { id: one.accountId, name: accountName },
    device: { id: one.deviceId, name: one.deviceName },
    kind: nameIn(KINDS, one.kind) ?? 'terminal',
    session: one.terminal,
    person: { id: one.userId, email: one.userEmail },
    started: isoTime(one.started),
    ended: timeOf(one.ended),
    durationMs: Number(one.durationMs),
    bytes: Number(one.bytes),
    stored: Number(one.stored),
    chunks: one.chunks,
    gaps: one.gaps,
    gapBytes: Number(one.gapBytes),
    exit: one.exit ?? null,
    reason: one.reason,
    policy: one.policy === RecordingPolicy.REQUIRED ? 'required' : 'best_effort',
    size: one.kind === RecordingKind.DESKTOP ? null : { cols: one.cols, rows: one.rows },
    hold: hold ? { since: isoTime(hold.since), by: hold.by, reason: hold.reason } : null,
    signed: one.signed,
    expires: timeOf(one.expires),
    searchable: Number(one.searchable),
    playable: may(user, 'recordings.view', one.accountId),
  };
}

/** Settings as the API has them. */
export function settingsJson({ settings, ...state }: RecordingSettingsResponse) {
  const { policy, full, filter = '', days, quota, redactions = [], search = false, desktops = false } = settings ?? {};
  return {
    policy: nameIn(POLICIES, policy) ?? 'off',
    filter,
    days: days ?? null,
    quota: quota === undefined ? null : Number(quota),
    full: nameIn(FULL, full) ?? 'drop_oldest',
    redactions,
    search,
    desktops,
    version: state.version,
    defaultDays: state.defaultDays,
    defaultQuota: Number(state.defaultQuota),
    used: Number(state.used),
    recordings: state.recordings,
    problem: state.problem || null,
  };
}

/** Settings as the audit service takes them. */
export function settingsMessage(body: SetRecordingSettingsBody): MessageInitShape<typeof RecordingSettingsSchema> {
  const { policy, full, days, quota, filter, redactions, search, desktops } = body;
  return {
    policy: POLICIES[policy],
    full: FULL[full],
    filter,
    redactions,
    search,
    desktops,
    ...(days !== null && { days }),
    ...(quota !== null && { quota: BigInt(quota) }),
  };
}

function nameIn<N extends string, V>(names: Readonly<Record<N, V>>, value: V | undefined): N | undefined {
  return (Object.keys(names) as N[]).find((name) => names[name] === value);
}
