import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes after which the youngest objects are looked at. */
const COLLECT_BYTES = 4 * 1024 * 1024;
/** Milliseconds without such bytes after which the rest of what a flood has left is given back to the system. */
const QUIET_MS = 20_000;

/** V8's flavour `last-resort` gives empty pages back, which it keeps otherwise. */
type Collect = (options: { type: 'minor' } | { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;
let since = 0;
let quiet: NodeJS.Timeout | undefined;

/**
 * To be told of bytes that are passed on at once in new memory outside V8's heap, as HTTP/2 reads what comes by the link and a terminal's
 * output is copied for it. V8 goes through the whole heap for such memory many times a second, on two threads: half of what passing them on takes. A look at its youngest
 * objects, which hold all of that memory, is over in a fraction of a millisecond. When no more come, all of the heap is looked at once.
 */
export function shortLived(bytes: number): void {
  since += bytes;
  if (since < COLLECT_BYTES) return;
  since = 0;
  collect ??= collector();
  collect({ type: 'minor' });
  quiet ??= setTimeout(() => {
    quiet = undefined;
    collect?.({ type: 'major', flavor: 'last-resort' });
  }, QUIET_MS).unref();
  quiet.refresh();
}

/** V8's own `gc`, which only a context has that is made while the flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
