import { recorded as text } from '../../lib/messages/recorded.ts';
import type { SessionRecording } from '../../sockets/recording.ts';
import classes from './terminal/SharingNotice.module.css';

interface RecordingNoticeProps {
  kind: 'terminal' | 'desktop';
  recording: SessionRecording;
}

/** Above the screen: why a session that must be recorded shows nothing new. */
export function RecordingNotice({ kind, recording: { reason } }: RecordingNoticeProps) {
  return (
    <p className={classes.notice} role="status">
      {text.states.waiting}. {text.waits[kind]} {reason}
    </p>
  );
}
