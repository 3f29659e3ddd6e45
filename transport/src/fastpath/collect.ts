import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isFast } from './fast.path.ts';

/** V8's flavour `last-resort` returns empty pages to the system; other flavours keep them. */
type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Forces a minor GC: a fraction of a millisecond. Does nothing without the fast path. */
export function collectYoung(): void {
  available()?.({ type: 'minor' });
}

/** Forces a full GC that returns empty pages to the system. Does nothing without the fast path. */
export function collectAll(): void {
  available()?.({ type: 'major', flavor: 'last-resort' });
}

function available(): Collect | undefined {
  return isFast('collection', () => (collect ??= exposed()) !== undefined) ? collect : undefined;
}

/** V8's `gc` function, which exists only in a context created while the flag is set. */
function exposed(): Collect | undefined {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('typeof gc === "function" ? gc : undefined') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
