import { describe, it, jest } from '@jest/globals';
import { constants, PerformanceObserver, type NodeGCPerformanceDetail } from 'node:perf_hooks';
import { until } from '@warren/infra/until';
import { shortLived } from './short.lived.ts';

type Collection = PerformanceEntry & { detail: NodeGCPerformanceDetail };

const MIB = 1024 * 1024;

/** The kinds of V8's collections from now on. */
function collections(): { kinds: (number | undefined)[]; stop: () => void } {
  const kinds: (number | undefined)[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) kinds.push((entry as Collection).detail.kind);
  });
  observer.observe({ entryTypes: ['gc'] });
  return { kinds, stop: () => observer.disconnect() };
}

describe('the memory of relayed bytes', () => {
  it('is released completely when the flood ends', async () => {
    const { kinds, stop } = collections();
    jest.useFakeTimers();
    shortLived(4 * MIB);
    jest.advanceTimersByTime(20_000);
    jest.useRealTimers();
    await until(() => kinds.includes(constants.NODE_PERFORMANCE_GC_MAJOR));
    stop();
  });

  it('is released by minor collections', async () => {
    const { kinds, stop } = collections();
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 48; count++) {
      Buffer.allocUnsafeSlow(MIB);
      shortLived(MIB);
    }
    await until(() => process.memoryUsage().arrayBuffers < before + 16 * MIB);
    await until(() => kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR).length >= 12);
    stop();
  });
});
