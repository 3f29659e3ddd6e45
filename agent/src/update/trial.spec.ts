import { describe, expect, it } from '@jest/globals';
import type { LinkStatus } from '../state/status.ts';
import { TrialWatch, trialTimes, type Verdict } from './trial.ts';

const MINUTE = 60;
const times = trialTimes({ back: false }, 120, 10 * MINUTE);
const none = { count: 0, weight: 0 };

/** The status of a process. */
function status(pid: number, up: number, state: LinkStatus['state'] = 'connected', linked = 0): LinkStatus {
  return { pid, started: pid, change: 0, state, since: new Date().toISOString(), up, linked };
}

/** What comes of what was seen, each at its second. */
function judge(seen: [number, LinkStatus | undefined][], before = none): Verdict | undefined {
  const watch = new TrialWatch(times, before, 0);
  for (const [now, one] of seen) {
    const verdict = watch.see(one, now);
    if (verdict) return verdict;
  }
  return undefined;
}

/** Processes that crash so many seconds after they were linked, 3 seconds between them. */
function crashing(after: number, count: number): [number, LinkStatus | undefined][] {
  return Array.from({ length: count }, (_, index) => {
    const up = index * (after + 3);
    return [
      [up, status(index + 1, up)] as const,
      [up + after, status(index + 1, up)] as const,
      [up + after + 1, undefined] as const,
    ];
  }).flat() as [number, LinkStatus | undefined][];
}

describe('a version on trial', () => {
  it('passes when it stays linked for ten minutes, and not sooner', () => {
    const linked = status(1, 5);
    expect(
      judge([
        [5, linked],
        [604, linked],
      ]),
    ).toBeUndefined();
    expect(
      judge([
        [5, linked],
        [605, linked],
      ]),
    ).toEqual({ good: true, crashes: none });
  });

  it('keeps its linked time when its link breaks', () => {
    const seen: [number, LinkStatus | undefined][] = [
      [10, status(1, 10)],
      [400, status(1, 310, 'waiting', 300)],
      [699, status(1, 400, 'connected', 300)],
    ];
    expect(judge(seen)).toBeUndefined();
    expect(judge([...seen, [700, status(1, 400, 'connected', 300)]])).toMatchObject({ good: true });
  });

  it('fails when it crashes 40 seconds after each start', () => {
    expect(judge(crashing(40, 3))).toBeUndefined();
    expect(judge(crashing(40, 4))).toEqual({
      good: false,
      why: 'it crashed 3 times, the last time after it was linked for 40 seconds',
      crashes: { count: 3, weight: 3 },
    });
  });

  it('counts crashes before the device went down', () => {
    expect(judge(crashing(40, 2), { count: 2, weight: 2 })).toMatchObject({ good: false, crashes: { count: 3 } });
  });

  it('passes after a single crash, which it keeps', () => {
    const second = status(2, 50);
    expect(judge([...crashing(40, 1), [50, second], [650, second]])).toEqual({
      good: true,
      crashes: { count: 1, weight: 1 },
    });
  });

  it.each<[string, [number, LinkStatus | undefined][], string]>([
    ['does not start', [[120, undefined]], 'it did not reach the hub within 120 seconds: it did not start'],
    ['is never linked', [[120, { ...status(1, 1, 'waiting'), problem: 'refused' }]], '120 seconds: refused'],
    [
      'ends for good',
      [
        [9, status(1, 1)],
        [129, undefined],
      ],
      'it ended and did not start again',
    ],
    [
      'is hardly ever linked',
      [
        [9, status(1, 1)],
        [1919, status(1, 20, 'waiting', 19)],
        [1920, status(1, 20, 'waiting', 19)],
      ],
      'it was not linked for 600 seconds within 1920',
    ],
  ])('fails when it %s', (_what, seen, why) => {
    expect(judge(seen)).toMatchObject({ good: false, why: expect.stringContaining(why) });
  });

  it('only has to reach the hub if this device ran it before', () => {
    expect(trialTimes({ back: true }, 120, 600)).toEqual({ reach: 120, stay: 10, most: 150 });
    const watch = new TrialWatch(trialTimes({ back: true }, 120, 600), none, 0);
    // As version 0.1.0 writes its status.
    const linked = (seconds: number): LinkStatus => {
      const since = new Date(Date.now() - seconds * 1_000).toISOString();
      return { pid: 1, started: 1, change: 0, state: 'connected', since };
    };
    expect(watch.see(linked(9), 9)).toBeUndefined();
    expect(watch.see(linked(11), 11)).toMatchObject({ good: true });
  });
});
