import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { constants, PerformanceObserver, type NodeGCPerformanceDetail } from 'node:perf_hooks';
import { shortLivedBytes } from './short.lived.ts';

type Collection = PerformanceEntry & { detail: NodeGCPerformanceDetail };

const MIB = 1024 * 1024;

type Counter = ReturnType<typeof shortLivedBytes>;

/** Creates a counter that no other test has counted on. */
const counter = () => shortLivedBytes({ everyBytes: 8 * MIB, countsOwn: true });

/** Allocates as a connection does: memory that becomes garbage at once. */
function receive(shortLived: Counter, mebibytes: number): void {
  for (let count = 0; count < mebibytes; count++) {
    Buffer.allocUnsafeSlow(MIB);
    shortLived(MIB);
  }
}

describe('the memory of relayed bytes', () => {
  it('is released by minor collections', async () => {
    const shortLived = counter();
    const kinds: (number | undefined)[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) kinds.push((entry as Collection).detail.kind);
    });
    observer.observe({ entryTypes: ['gc'] });
    const before = process.memoryUsage().arrayBuffers;
    receive(shortLived, 48);
    // Bytes keep coming: what has survived two collections stays until a full one.
    await until(() => {
      receive(shortLived, 8);
      return process.memoryUsage().arrayBuffers < before + 16 * MIB;
    });
    await until(() => kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR).length >= 6);
    observer.disconnect();
  });

  it('is not collected again right after V8 has done so', async () => {
    const shortLived = counter();
    receive(shortLived, 8);
    let seen = false;
    const observer = new PerformanceObserver((list) => {
      seen ||= list.getEntries().some(ofItsOwn);
    });
    observer.observe({ entryTypes: ['gc'] });
    expect(shortLived(7 * MIB)).toBe(false);
    await until(() => {
      strew();
      return seen;
    });
    observer.disconnect();
    expect(shortLived(7 * MIB)).toBe(false);
    expect(shortLived(MIB)).toBe(true);
  });
});

/** Allocates enough short-lived objects to trigger a garbage collection by V8. */
function strew(): void {
  Array.from({ length: 100_000 }, (_, index) => ({ index }));
}

function ofItsOwn(entry: PerformanceEntry): boolean {
  const { kind, flags } = (entry as Collection).detail;
  return kind === constants.NODE_PERFORMANCE_GC_MINOR && flags !== constants.NODE_PERFORMANCE_GC_FLAGS_FORCED;
}
