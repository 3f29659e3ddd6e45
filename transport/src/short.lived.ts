import { constants, PerformanceObserver, type NodeGCPerformanceDetail, type PerformanceEntry } from 'node:perf_hooks';
import { collectAll, collectYoung } from './fastpath/collect.ts';

/** When memory outside V8's heap is collected. */
export interface ShortLivedLimits {
  /** Bytes between forced minor GCs. */
  everyBytes: number;
  /** Whether V8's own GCs reset the count. */
  countsOwn?: boolean;
  /** Milliseconds without such bytes before a full GC that returns memory to the system. */
  releaseAfterMs?: number;
}

/**
 * Counts bytes in buffers that become garbage at once, and forces minor GCs for them. Node's HTTP/2 and WebSockets read each piece into a
 * new 64 KiB buffer outside the heap. V8 runs a full GC for every few hundred of them, which costs several times as much as relaying
 * does and stops the process for milliseconds. A minor GC takes half a millisecond and frees them all. Right after a minor GC of V8, a
 * second one would only find buffers in use; surviving twice promotes them to the old generation, whose growth forces full GCs after all.
 * @returns the counter, which returns whether it forced a GC
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

/** The services' limit. V8 starts full GCs at about 64 MiB outside the heap, and one byte read may take two of them. */
export const shortLived = shortLivedBytes({ everyBytes: 8 * 1024 * 1024, countsOwn: true });

/** A late report of V8's own minor GC would reset the count of newer bytes. Other kinds are incremental steps, or concern handles. */
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
