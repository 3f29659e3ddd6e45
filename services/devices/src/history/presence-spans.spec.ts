import { describe, expect, it } from '@jest/globals';
import { ActivityKind, PresenceState } from '@warren/proto/devices/v1/devices';
import { spansOf, type Turn } from './presence-spans.ts';

const time = (hour: number) => new Date(Date.UTC(2026, 0, 31, hour));
const turn = (hour: number, kind: ActivityKind): Turn => ({ at: time(hour), kind });
const { CONNECTED, DISCONNECTED, UNKNOWN } = PresenceState;

/** The states between 0 and 12 o'clock, as [state, until]. */
function states(turns: Turn[], now: boolean, known = time(-24)) {
  return spansOf(time(0), time(12), turns, now, known).map(({ state, to }) => [state, to.getUTCHours()]);
}

describe('the spans of presence', () => {
  it('are one when nothing changed', () => {
    expect(states([], true)).toEqual([[CONNECTED, 12]]);
    expect(states([], false)).toEqual([[DISCONNECTED, 12]]);
  });

  it('begin with the opposite of the first change', () => {
    const turns = [turn(3, ActivityKind.DISCONNECTED), turn(5, ActivityKind.CONNECTED)];
    expect(states(turns, true)).toEqual([
      [CONNECTED, 3],
      [DISCONNECTED, 5],
      [CONNECTED, 12],
    ]);
  });

  it('know nothing before the device was there', () => {
    const turns = [turn(6, ActivityKind.ENROLLED), turn(7, ActivityKind.CONNECTED)];
    expect(states(turns, true)).toEqual([
      [UNKNOWN, 6],
      [DISCONNECTED, 7],
      [CONNECTED, 12],
    ]);
    expect(states([], true, time(4))).toEqual([
      [UNKNOWN, 4],
      [CONNECTED, 12],
    ]);
  });

  it('know nothing from before the device came into the account', () => {
    const turns = [turn(2, ActivityKind.DISCONNECTED), turn(6, ActivityKind.MOVED_IN), turn(8, ActivityKind.CONNECTED)];
    expect(states(turns, true)).toEqual([
      [UNKNOWN, 6],
      [DISCONNECTED, 8],
      [CONNECTED, 12],
    ]);
  });

  it('leave no gap, and join what is the same', () => {
    const turns = [turn(3, ActivityKind.DISCONNECTED), turn(4, ActivityKind.DISCONNECTED)];
    const spans = spansOf(time(0), time(12), turns, false, time(-24));
    expect(spans.map(({ from }) => from.getUTCHours())).toEqual([0, 3]);
    expect(spans[1]?.to).toEqual(time(12));
  });
});
