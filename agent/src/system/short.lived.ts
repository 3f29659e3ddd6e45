import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes after which the youngest objects are looked at. */
const COLLECT_BYTES = 4 * 1024 * 1024;

type Collect = (options: { type: 'minor' }) => void;

let collect: Collect | undefined;
let since = 0;

/**
 * To be told of bytes that are passed on at once in new memory outside V8's heap, as HTTP/2 reads what comes by the link and a terminal's
 * output is copied for it. V8 goes through the whole heap for such memory many times a second, on two threads: half of what passing them on takes. A look at its youngest
 * objects, which hold all of that memory, is over in a fraction of a millisecond.
 */
export function shortLived(bytes: number): void {
  since += bytes;
  if (since < COLLECT_BYTES) return;
  since = 0;
  collect ??= collector();
  collect({ type: 'minor' });
}

/** V8's own `gc`, which only a context has that is made while the flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
