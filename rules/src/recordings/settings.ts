import { z } from 'zod';
import { deviceText } from '../facts.ts';

/** Whether sessions are recorded. `required`: without a recorder there is no new session, and output waits for it. */
export const RECORDING_POLICIES = ['off', 'best_effort', 'required'] as const;
export type RecordingPolicy = (typeof RECORDING_POLICIES)[number];

export const RECORDING_KINDS = ['terminal', 'desktop'] as const;
export type RecordingKind = (typeof RECORDING_KINDS)[number];

/** What happens to a recording that does not fit the quota: the oldest ones are deleted, or it is not stored. */
export const RECORDING_FULL = ['drop_oldest', 'refuse'] as const;

/** Formats of exports: asciicast v2, or the text as it appeared. */
export const RECORDING_FORMATS = ['asciicast', 'text'] as const;
export type RecordingFormat = (typeof RECORDING_FORMATS)[number];

const GIB = 1_073_741_824;

export const RECORDING_LIMITS = {
  /** Encoded bytes of the events of one chunk. */
  chunkBytes: 786_432,
  /** Time that one chunk covers, in milliseconds. */
  chunkMs: 10_000,
  /** Appends of a recording that wait at the same time. */
  pending: 4,
  /** Days that recordings are kept. */
  days: { min: 1, max: 3_650 },
  /** Bytes that the recordings of an account take. */
  quota: { min: GIB / 16, max: 1_024 * 1_024 * GIB },
  redactions: 50,
  redaction: 500,
  reason: 500,
  /** Characters of a searched text. */
  search: { min: 3, max: 200 },
} as const;

/** Days that recordings are kept; held ones stay. */
export const recordingDays = z
  .int('expected a whole number of days')
  .min(RECORDING_LIMITS.days.min, 'expected at least 1 day')
  .max(RECORDING_LIMITS.days.max, `expected at most ${RECORDING_LIMITS.days.max} days`);

/** Bytes that the recordings of an account take. */
export const recordingQuota = z
  .int('expected a whole number of bytes')
  .min(RECORDING_LIMITS.quota.min, 'expected at least 64 MiB')
  .max(RECORDING_LIMITS.quota.max, 'expected at most 1 PiB');

/** Regular expressions of RE2; what they match is masked in exports and searches. */
export const recordingRedactions = z
  .array(
    z
      .string()
      .min(1, 'expected a regular expression')
      .max(RECORDING_LIMITS.redaction, `expected at most ${RECORDING_LIMITS.redaction} characters`),
  )
  .max(RECORDING_LIMITS.redactions, `expected at most ${RECORDING_LIMITS.redactions} regular expressions`);

/** Why a recording is held. */
export const holdReason = deviceText(RECORDING_LIMITS.reason).trim().min(1, 'expected a reason');
