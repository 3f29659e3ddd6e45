/**
 * How a session is recorded. `waiting`: output waits until it can be stored. `interrupted`: what is shown now may be missing in the
 * recording. `unsupported`: the device's agent is too old, so nothing is recorded. `stopped`: the recording has ended before the session.
 */
export interface SessionRecording {
  mode: 'best_effort' | 'required';
  state: 'recording' | 'waiting' | 'interrupted' | 'unsupported' | 'stopped';
  /** Why it is not stored, for people; empty while it is. */
  reason: string;
}

const STATES = ['recording', 'waiting', 'interrupted', 'unsupported', 'stopped'] as const;

/** What the hub says of the recording of a session. */
export function decodeRecording(value: unknown): SessionRecording | null {
  const { recorded, mode, state, reason } = (value ?? {}) as Record<string, unknown>;
  const known = STATES.find((one) => one === state);
  const isRecorded = recorded === true || known === 'unsupported' || known === 'stopped';
  if (!known || !isRecorded) return null;
  return {
    mode: mode === 'required' ? 'required' : 'best_effort',
    state: known,
    reason: typeof reason === 'string' ? reason : '',
  };
}
