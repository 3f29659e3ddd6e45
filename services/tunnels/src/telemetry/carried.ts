import { shortLived } from '@warren/platform/relay/short.lived';
import type { SessionKind } from '../sockets/grant.ts';
import { sessionBytes } from './metrics.ts';

/** Counts what sessions of one kind carry one way, where it passes and is soon forgotten. */
export function carried(kind: SessionKind, direction: 'in' | 'out'): (bytes: number) => void {
  const counter = sessionBytes.labels({ kind, direction });
  return (bytes) => {
    counter.inc(bytes);
    shortLived(bytes);
  };
}
