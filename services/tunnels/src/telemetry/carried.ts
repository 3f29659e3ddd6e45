import { shortLived } from '@warren/platform/relay/short.lived';
import type { SessionKind } from '../sockets/grant.ts';
import { sessionBytes } from './metrics.ts';

/** Memory that a byte takes on its way: it is read, cut to its size, and put together with others to a message. */
const COPIES = 3;

/** Counts what sessions of one kind carry one way, where it passes and is soon forgotten. */
export function carried(kind: SessionKind, direction: 'in' | 'out'): (bytes: number) => void {
  const counter = sessionBytes.labels({ kind, direction });
  return (bytes) => {
    counter.inc(bytes);
    shortLived(bytes * COPIES);
  };
}
