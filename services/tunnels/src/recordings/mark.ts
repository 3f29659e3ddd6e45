/**
 * How a terminal is recorded. `recording`: what it shows is stored. `waiting`: output waits until it can be stored. `interrupted`: what it
 * shows now may be missing in the recording. `unsupported`: the device's agent is too old, so nothing is recorded.
 * `stopped`: the recording of a desktop has ended before it, and is not continued.
 */
type RecordingState = 'recording' | 'waiting' | 'interrupted' | 'unsupported' | 'stopped';

/** The mark of a recorded terminal or desktop: after the status of its opening, and at each change. */
export interface RecordingMessage {
  recorded: boolean;
  mode: 'best_effort' | 'required';
  /** When it began, in milliseconds since 1970. */
  since: number;
  state: RecordingState;
  /** Why it is not stored, in words for people; empty while it is. */
  reason: string;
}
