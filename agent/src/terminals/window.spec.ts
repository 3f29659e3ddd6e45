import { describe, expect, it } from '@jest/globals';
import { OutputWindow } from './window.ts';

const KB = 1_000;
const limits = { window: 100 * KB, largestWindow: 400 * KB };

describe('OutputWindow', () => {
  function window(acked = 0) {
    let now = 1_000;
    const output = new OutputWindow(limits, acked, () => now);
    return {
      /** The browser has drawn so far, so many milliseconds later. */
      drawn: (offset: number, laterMs: number) => {
        now += laterMs;
        output.drawn(offset);
        return output.size;
      },
      output,
    };
  }

  it('begins with the minimum', () => {
    expect(window(50_000 * KB).output.size).toBe(100 * KB);
  });

  it('is what the browser draws in 20 ms', () => {
    expect(window(7 * KB).drawn(507 * KB, 40)).toBe(250 * KB);
  });

  it('stays within its limits', () => {
    const { drawn } = window();
    expect(drawn(1_000 * KB, 20)).toBe(400 * KB);
    expect(drawn(1_001 * KB, 20)).toBe(100 * KB);
  });

  it('does not grow by acknowledgements that arrive in one burst', () => {
    const { drawn } = window();
    expect(drawn(90 * KB, 1)).toBe(100 * KB);
    expect(drawn(180 * KB, 1)).toBe(100 * KB);
    expect(drawn(200 * KB, 18)).toBe(200 * KB);
  });

  it('returns to the minimum after silence', () => {
    const { drawn } = window();
    expect(drawn(300 * KB, 20)).toBe(300 * KB);
    expect(drawn(364 * KB, 60_000)).toBe(100 * KB);
  });
});
