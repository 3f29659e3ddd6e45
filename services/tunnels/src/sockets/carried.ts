import { shortLived } from '@warren/transport/short.lived';
import type { SessionKind } from './grant.ts';
import { sessionBytes } from '../telemetry/metrics.ts';

/**
 * How often a byte is counted: it is read, cut to its size, and put together with others to a message, each in memory of its own. Each look costs
 * as well; with these, none of the whole heap was seen to be needed.
 */
const COPIES = { in: 3, out: 2 };

/**
 * Counts what sessions of one kind carry one way, where it passes and is soon forgotten.
 * @param copies how often it is there in memory of its own
 */
export function carried(
  kind: SessionKind,
  direction: 'in' | 'out',
  copies = COPIES[direction],
): (bytes: number) => void {
  const counter = sessionBytes.labels({ kind, direction });
  return (bytes) => {
    counter.inc(bytes);
    if (copies > 0) shortLived(bytes * copies);
  };
}
