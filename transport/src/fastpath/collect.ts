import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isFast } from './fast.path.ts';

/** V8's flavour `last-resort` gives empty pages back, which it keeps otherwise. */
type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Has V8 collect its youngest objects: a fraction of a millisecond. Does nothing without the fast path: V8 collects by itself. */
export function collectYoung(): void {
  available()?.({ type: 'minor' });
}

/** Has V8 collect all of the heap and give empty pages back to the system. Does nothing without the fast path. */
export function collectAll(): void {
  available()?.({ type: 'major', flavor: 'last-resort' });
}

function available(): Collect | undefined {
  return isFast('collection', () => (collect ??= exposed()) !== undefined) ? collect : undefined;
}

/** V8's own `gc`, which only a context has that is made while the flag is set. */
function exposed(): Collect | undefined {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('typeof gc === "function" ? gc : undefined') as Collect | undefined;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
