import { describe, expect, it } from '@jest/globals';
import { decodeEvents, encodeEvents, offsetAfter, type RecordedEvent } from './frames.ts';

const events: RecordedEvent[] = [
  { atMs: 1_000, kind: 'output', bytes: Uint8Array.of(0, 255, 27) },
  { atMs: 1_000, kind: 'resize', cols: 80, rows: 24 },
  { atMs: 200_000, kind: 'gap', bytes: 5_000_000_000, why: 'the device did not answer' },
  { atMs: 200_001, kind: 'snapshot', offset: 2 ** 50, data: 'häuser 🐇', size: { cols: 132, rows: 50 } },
  { atMs: 200_002, kind: 'joined', person: 'ada@a.example' },
  { atMs: 200_003, kind: 'left', person: '' },
  { atMs: 200_003, kind: 'output', bytes: new Uint8Array() },
];

describe('events of a recording', () => {
  it('are the same after encoding and decoding', () => {
    expect(decodeEvents(encodeEvents(events, 900), 900)).toEqual(events);
    expect(encodeEvents([], 0)).toHaveLength(0);
  });

  it('take a few bytes besides their output', () => {
    const typed = Array.from({ length: 1_000 }, (_, at): RecordedEvent => {
      return { atMs: at * 100, kind: 'output', bytes: Uint8Array.of(97) };
    });
    expect(encodeEvents(typed, 0).length).toBeLessThanOrEqual(4_000);
  });

  it('are refused where they end early, or are none', () => {
    const bytes = encodeEvents(events, 900);
    const cuts = Array.from({ length: bytes.length - 1 }, (_, at) => bytes.subarray(0, at + 1));
    const whole = cuts.filter((cut) => {
      try {
        return decodeEvents(cut, 900).length < events.length;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return false;
      }
    });
    // A cut between two events looks like an end.
    expect(whole).toHaveLength(events.length - 1);
    expect(() => decodeEvents(Uint8Array.of(9, 0), 0)).toThrow('unknown kind');
    expect(() => decodeEvents(Uint8Array.of(0, ...Array.from({ length: 9 }, () => 255)), 0)).toThrow('too long');
    expect(() => encodeEvents([{ atMs: 0, kind: 'resize', cols: -1, rows: 1 }], 0)).toThrow('whole number');
  });

  it('move the offset by output and gaps, and to that of a snapshot', () => {
    expect(events.slice(0, 3).reduce(offsetAfter, 10)).toBe(5_000_000_013);
    expect(events.reduce(offsetAfter, 10)).toBe(2 ** 50);
  });
});
