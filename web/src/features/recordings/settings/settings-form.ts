import { parseFilter } from '@warren/rules/filter/parse';
import { RECORDING_LIMITS, recordingDays, recordingQuota } from '@warren/rules/recordings/settings';
import type { RecordingSettings, SetRecordingSettings } from '../../../lib/api/types.ts';
import { recordingSettings as text } from '../../../lib/messages/recording-settings.ts';
import { problemOf } from '../../../lib/validate.ts';

const GIB = 1_073_741_824;

/** Settings as they are typed. */
export interface SettingsDraft extends Pick<RecordingSettings, 'policy' | 'filter' | 'full' | 'search' | 'desktops'> {
  days: string;
  /** In GiB. */
  quota: string;
  /** One in each line. */
  redactions: string;
}

export type SettingsProblems = Partial<Record<keyof SettingsDraft, string>>;

export function draftOf(settings: RecordingSettings): SettingsDraft {
  const { policy, filter, full, search, desktops, days, quota, redactions } = settings;
  return {
    policy,
    filter,
    full,
    search,
    desktops,
    days: days === null ? '' : String(days),
    quota: quota === null ? '' : String(quota / GIB),
    redactions: redactions.join('\n'),
  };
}

/** The rules of a text, without empty lines. */
export const rulesOf = (lines: string): string[] => lines.split('\n').filter((line) => line.trim() !== '');

/** What is wrong in each field, apart from what only RE2 itself can say of a rule. */
export function problemsOf(draft: SettingsDraft): SettingsProblems {
  const problems: SettingsProblems = {};
  const days = numberIn(draft.days);
  const wrongDays = days === null ? undefined : problemOf(recordingDays, days);
  if (wrongDays) problems.days = wrongDays;
  const quota = numberIn(draft.quota);
  if (quota !== null && problemOf(recordingQuota, Math.round(quota * GIB))) problems.quota = text.quotaWrong;
  if (!parseFilter(draft.filter.trim()).ok) problems.filter = '';
  const rules = rulesOf(draft.redactions);
  const long = draft.redactions.split('\n').findIndex((line) => line.length > RECORDING_LIMITS.redaction);
  if (long >= 0) problems.redactions = text.tooLong(long + 1, RECORDING_LIMITS.redaction);
  if (rules.length > RECORDING_LIMITS.redactions) problems.redactions = text.tooMany(RECORDING_LIMITS.redactions);
  return problems;
}

/** What the hub is sent. The draft has no problems. */
export function bodyOf(draft: SettingsDraft): Omit<SetRecordingSettings, 'account' | 'version'> {
  const { policy, filter, full, search, desktops } = draft;
  const quota = numberIn(draft.quota);
  return {
    policy,
    filter: filter.trim(),
    full,
    search,
    desktops,
    days: numberIn(draft.days),
    quota: quota === null ? null : Math.round(quota * GIB),
    redactions: rulesOf(draft.redactions),
  };
}

/** Null without one; NaN for another text. */
const numberIn = (typed: string) => (typed.trim() === '' ? null : Number(typed));
