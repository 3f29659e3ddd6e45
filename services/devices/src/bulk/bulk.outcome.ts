import type { Fault } from '@warren/platform/errors/fault';
import { REASONS } from './bulk.reasons.ts';

/** What became of a device. */
export interface Outcome {
  state: 'done' | 'failed';
  code: string;
  reason: string;
}

const MOST_REASON = 300;

export const DONE: Outcome = { state: 'done', code: '', reason: '' };
export const failed = (code: string, reason: string): Outcome => ({
  state: 'failed',
  code,
  reason: reason.slice(0, MOST_REASON),
});

/** Explains why a service refused to act on a device. */
export function outcomeOf({ code, message }: Fault): Outcome {
  switch (code) {
    case 'not_found':
      return failed(code, REASONS.missing);
    case 'permission_denied':
      return failed(code, REASONS.denied);
    case 'unavailable':
      // The replica, or the link, went in the meantime.
      return failed('offline', REASONS.offline);
    case 'deadline_exceeded':
      return failed('no_answer', REASONS.noAnswer);
    default:
      return failed(code, message);
  }
}
