import { recorded as text } from '../../../lib/messages/recorded.ts';
import type { TerminalRecording } from '../../../sockets/terminal/types.ts';
import classes from './SharingNotice.module.css';

/** Above the screen: why a terminal that must be recorded shows nothing new. */
export function RecordingNotice({ recording: { reason } }: { recording: TerminalRecording }) {
  return (
    <p className={classes.notice} role="status">
      {text.states.waiting}. {text.waits} {reason}
    </p>
  );
}
