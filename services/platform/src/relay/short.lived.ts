import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** V8 begins to go through the whole heap when about 64 MiB of memory outside it have come; one byte read may take two of them. */
const COLLECT_BYTES = 8 * 1024 * 1024;

type Collect = (options: { type: 'minor' }) => void;

let collect: Collect | undefined;
let since = 0;

/**
 * To be told of bytes that were read into memory of their own and are passed on at once. HTTP/2 and WebSockets of Node read each piece into
 * a new 64 KiB, of which V8 knows little but that it lies outside the heap; so it goes through the whole heap for every few hundred of them,
 * which costs several times what passing them on does, and stops the process for milliseconds. They are all young: a look at the youngest
 * objects, half a millisecond, gives them back.
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
