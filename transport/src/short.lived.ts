import { constants, PerformanceObserver, type NodeGCPerformanceDetail, type PerformanceEntry } from 'node:perf_hooks';
import { collectAll, collectYoung } from './fastpath/collect.ts';

/** When memory outside V8's heap is collected. */
export interface ShortLivedLimits {
  /** Bytes after which the youngest objects are collected. */
  everyBytes: number;
  /** Whether V8's own collections start the count again. */
  countsOwn?: boolean;
  /** Milliseconds without such bytes after which all of the heap is collected, and given back to the system. */
  releaseAfterMs?: number;
}

/**
 * Counts bytes that were read into memory of their own and are passed on at once, and collects it early. HTTP/2 and WebSockets of Node read
 * each piece into a new 64 KiB, of which V8 knows little but that it lies outside the heap; so it goes through the whole heap for every few
 * hundred of them, which costs several times what passing them on does, and stops the process for milliseconds. They are all young: a
 * collection of the youngest objects, half a millisecond, frees them. Where V8 has just done one by itself, another would find only what is
 * still in use, and what is found twice counts as old: that fills the heap, and has V8 go through all of it after all.
 * @returns the counter; it tells whether there was a collection
 */
export function shortLivedBytes(limits: ShortLivedLimits): (bytes: number) => boolean {
  const { everyBytes, countsOwn = false, releaseAfterMs } = limits;
  let since = 0;
  let observed = false;
  let quiet: NodeJS.Timeout | undefined;
  return (bytes) => {
    since += bytes;
    if (since < everyBytes) return false;
    since = 0;
    if (countsOwn && !observed) {
      observed = true;
      observeOwn(() => (since = 0));
    }
    collectYoung();
    if (releaseAfterMs !== undefined) {
      quiet ??= setTimeout(() => {
        quiet = undefined;
        collectAll();
      }, releaseAfterMs).unref();
      quiet.refresh();
    }
    return true;
  };
}

/** That of the services. V8 begins to go through the whole heap at about 64 MiB outside of it; one byte read may take two of them. */
export const shortLived = shortLivedBytes({ everyBytes: 8 * 1024 * 1024, countsOwn: true });

/** Told late of a collection of its own, it would forget what has come since. Other kinds are steps of one, or about handles. */
function observeOwn(collected: () => void): void {
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isOwn)) collected();
  }).observe({ type: 'gc' });
}

function isOwn(entry: PerformanceEntry): boolean {
  const { kind, flags } = (entry as PerformanceEntry & { detail: NodeGCPerformanceDetail }).detail;
  if (flags === constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) return false;
  return kind === constants.NODE_PERFORMANCE_GC_MINOR || kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
