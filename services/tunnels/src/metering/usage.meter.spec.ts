import { beforeEach, describe, expect, it } from '@jest/globals';
import { UsageKind } from '@warren/proto/events/v1/events';
import { UsageMeter } from './usage.meter.ts';

const NINE = Date.UTC(2026, 10, 1, 9);
const HOUR_MS = 3_600_000;
const { TERMINAL, DESKTOP, DEVICE } = UsageKind;

describe('a meter', () => {
  let wall: number;
  let steady: number;
  let meter: UsageMeter;
  const pass = (ms: number) => {
    wall += ms;
    steady += ms;
  };

  beforeEach(() => {
    wall = NINE;
    steady = 5_000;
    meter = new UsageMeter({ wall: () => wall, steady: () => steady });
  });

  const nothing = { openMs: 0, opened: 0, bytesToDevice: 0, bytesFromDevice: 0 };

  it('sums the time of all that is open, and counts what was taken once', () => {
    const [one, two] = [meter.use('a', TERMINAL), meter.use('a', TERMINAL)];
    one.begin();
    pass(1_000);
    two.begin();
    two.toDevice(3);
    pass(2_000);
    one.end();
    pass(500);
    const counts = { accountId: 'a', kind: TERMINAL, openMs: 5_500, opened: 2, bytesToDevice: 3, bytesFromDevice: 0 };
    expect(meter.take(true)).toEqual([{ hour: NINE, counts: [counts] }]);
    pass(250);
    two.fromDevice(7);
    two.end();
    two.end();
    const rest = { ...nothing, accountId: 'a', kind: TERMINAL, openMs: 250, bytesFromDevice: 7 };
    expect(meter.take(true)).toEqual([{ hour: NINE, counts: [rest] }]);
    expect(meter.take(true)).toEqual([]);
    // What is taken is the account's: each use keeps its sums.
    expect([one, two].map(({ bytesToDevice, bytesFromDevice }) => [bytesToDevice, bytesFromDevice])).toEqual([
      [0, 0],
      [3, 7],
    ]);
  });

  it('counts accounts and kinds separately, and leaves connected devices for later', () => {
    for (const [account, kind] of [
      ['a', TERMINAL],
      ['b', DESKTOP],
      ['b', DEVICE],
    ] as const)
      meter.use(account, kind).begin();
    pass(10);
    const kinds = (devices: boolean) =>
      meter.take(devices).flatMap(({ counts }) => counts.map(({ accountId, kind }) => [accountId, kind]));
    expect(kinds(false)).toEqual([
      ['a', TERMINAL],
      ['b', DESKTOP],
    ]);
    expect(kinds(true)).toEqual([['b', DEVICE]]);
  });

  it('splits time where an hour ends, also when it is looked at late', () => {
    wall = NINE + HOUR_MS - 400;
    meter.use('a', TERMINAL).begin();
    meter.use('a', DEVICE).begin();
    pass(1_000);
    // A look without devices: their hour has ended all the same.
    expect(meter.take(false)).toEqual([
      {
        hour: NINE,
        counts: [
          { ...nothing, accountId: 'a', kind: TERMINAL, openMs: 400, opened: 1 },
          { ...nothing, accountId: 'a', kind: DEVICE, openMs: 400, opened: 1 },
        ],
      },
      { hour: NINE + HOUR_MS, counts: [{ ...nothing, accountId: 'a', kind: TERMINAL, openMs: 600 }] },
    ]);
  });

  it('counts no time twice, and none below zero, when the clock is set', () => {
    meter.use('a', TERMINAL).begin();
    pass(1_000);
    wall -= 2 * HOUR_MS;
    pass(1_000);
    const openMs = meter.take(true).flatMap(({ counts }) => counts.map((one) => one.openMs));
    expect(openMs).toEqual([2_000]);
  });

  it('keeps no account that has nothing open', () => {
    const use = meter.use('a', TERMINAL);
    use.end();
    meter.take(true);
    expect((meter as unknown as { tallies: Map<string, unknown> }).tallies.size).toBe(0);
  });

  it('keeps a bounded number of hours until they are read', () => {
    meter.use('a', TERMINAL).begin();
    for (let hour = 0; hour < 60; hour++) {
      pass(HOUR_MS);
      meter.now();
    }
    expect(meter.take(true).length).toBe(48);
    expect(meter.dropped).toBeGreaterThan(0);
  });
});
