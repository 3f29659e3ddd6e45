import { ActivityKind, PresenceState } from '@warren/proto/devices/v1/devices';

/** A change of a device's presence, or its arrival in the account. */
export interface Turn {
  at: Date;
  kind: ActivityKind;
}

export interface Span {
  from: Date;
  to: Date;
  state: PresenceState;
}

const STATES: Partial<Record<ActivityKind, PresenceState>> = {
  [ActivityKind.CONNECTED]: PresenceState.CONNECTED,
  [ActivityKind.DISCONNECTED]: PresenceState.DISCONNECTED,
};

/**
 * The states of a device between two times, without gaps.
 * @param turns all changes between the two, oldest first; a kind that is no state marks the start of the known time
 * @param now whether the device is connected at `to`
 * @param known the start of the known time: its enrolment, or the first of `turns`
 */
export function spansOf(from: Date, to: Date, turns: readonly Turn[], now: boolean, known: Date): Span[] {
  const arrival = turns.filter(({ kind }) => STATES[kind] === undefined).at(-1)?.at ?? known;
  const begin = new Date(Math.min(Math.max(arrival.getTime(), from.getTime()), to.getTime()));
  const changes = turns.filter(({ at, kind }) => STATES[kind] !== undefined && at >= begin && at <= to);
  const spans: Span[] = [];
  const add = (start: Date, end: Date, state: PresenceState) => {
    const last = spans.at(-1);
    if (last?.state === state) last.to = end;
    else if (end > start) spans.push({ from: start, to: end, state });
  };
  add(from, begin, PresenceState.UNKNOWN);
  let at = begin;
  // Before its first change, a device had the opposite state.
  let state = stateOf(changes[0] ? changes[0].kind !== ActivityKind.CONNECTED : now);
  for (const change of changes) {
    add(at, change.at, state);
    at = change.at;
    state = STATES[change.kind] ?? state;
  }
  add(at, to, state);
  return spans;
}

const stateOf = (connected: boolean) => (connected ? PresenceState.CONNECTED : PresenceState.DISCONNECTED);
