import type { TerminalRecording } from './types.ts';

const STATES = ['recording', 'waiting', 'interrupted', 'unsupported'] as const;

/** What the hub says of the recording of a terminal. */
export function decodeRecording(value: unknown): TerminalRecording | null {
  const { recorded, mode, state, reason } = (value ?? {}) as Record<string, unknown>;
  const known = STATES.find((one) => one === state);
  if (!known || (recorded !== true && known !== 'unsupported')) return null;
  return {
    mode: mode === 'required' ? 'required' : 'best_effort',
    state: known,
    reason: typeof reason === 'string' ? reason : '',
  };
}
