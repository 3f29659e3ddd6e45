import type { Recording } from '@warren/proto/agent/v1/agent';
import type { PtySize } from '../system/pty.ts';
import type { AttachmentRole } from './attachment.ts';

/** Events of a terminal for its registry. */
export interface TerminalEvents {
  /** The last writer is gone. */
  detached(): void;
  /** It has waited long enough for a writer. */
  deserted(): void;
  /** The program has ended, and a writer has taken its output and exit, and the recorder too if there is to be one. */
  finished(): void;
  /** The recorder has stored all output, and the exit. */
  recorded(): void;
}

/** How a browser attaches. */
export interface AttachAs {
  /** The screen's name for itself, under which its input is counted. */
  writer?: string;
  role?: AttachmentRole;
  /** The window of a writer. */
  size?: PtySize;
  /** How the terminal is recorded from now on; it never is less. */
  record?: Recording;
}
