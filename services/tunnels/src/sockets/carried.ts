import { shortLived } from '@warren/transport/short.lived';
import type { GrantKind } from './grant.ts';
import { sessionBytes } from '../telemetry/metrics.ts';

/** Copies of each byte: it is read, split to size and merged into a message. Counting them forces minor GCs early, which averts full ones. */
const COPIES = { in: 3, out: 2 };

/**
 * Counts the short-lived bytes that sessions of one kind carry in one direction.
 * @param copies how often each byte is copied
 */
export function carried(kind: GrantKind, direction: 'in' | 'out', copies = COPIES[direction]): (bytes: number) => void {
  const counter = sessionBytes.labels({ kind, direction });
  return (bytes) => {
    counter.inc(bytes);
    if (copies > 0) shortLived(bytes * copies);
  };
}
