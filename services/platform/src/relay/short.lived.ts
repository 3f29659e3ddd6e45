import { constants, PerformanceObserver, type NodeGCPerformanceDetail, type PerformanceEntry } from 'node:perf_hooks';
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
 * objects, half a millisecond, gives them back. Where V8 has just looked by itself, as it does for many small pieces, another look would find
 * only what is still under way, and what is found twice counts as old: that fills the heap, and has V8 go through all of it after all.
 * @returns whether there was a look
 */
export function shortLived(bytes: number): boolean {
  since += bytes;
  if (since < COLLECT_BYTES) return false;
  since = 0;
  collect ??= collector();
  collect({ type: 'minor' });
  return true;
}

/** V8's own `gc`, which only a context has that is made while the flag is set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  new PerformanceObserver((list) => {
    if (list.getEntries().some(givesBack)) since = 0;
  }).observe({ type: 'gc' });
  return gc;
}

/** Told late of a look of its own, it would forget what has come since. Other kinds of collection are steps of one, or about handles. */
function givesBack(entry: PerformanceEntry): boolean {
  const { kind, flags } = (entry as PerformanceEntry & { detail: NodeGCPerformanceDetail }).detail;
  if (flags === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) return false;
  return kind === constants.NODE_PERFORMANCE_GC_MINOR || kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
