import type { Recording } from '@warren/proto/agent/v1/agent';
import type { AgentLink } from '../links/link.ts';
import type { Use } from '../metering/usage.meter.ts';
import type { Ending } from './ending.ts';
import type { Register } from './messages.ts';
import type { OutputSink } from './output.ts';
import type { ScreenEvents } from './screen.updates.ts';
import type { Size } from './size.ts';

/** How a browser attaches: `only` takes over from other writers, `writer` joins them, `reader` reads. */
export type AttachmentRole = 'only' | 'writer' | 'reader';

/** What a device answers when a terminal is open. */
export interface Opened {
  session: string;
  /** Of the first byte that follows. */
  offset: number;
  /** Bytes that this writer has typed so far; undefined if they are not counted. */
  typed: number | undefined;
  /** Columns and rows, if others can join it; undefined otherwise. */
  size: Size | undefined;
  /** How its output is recorded; unspecified for an agent that can't be recorded, too. */
  recording: Recording;
}

/** The parts of an attachment. */
export interface AttachmentOptions {
  link: AgentLink;
  /** The terminal's owner, and the address of the person who attaches. */
  owner: string;
  email: string;
  role: AttachmentRole;
  request: Register;
  /** How a new terminal is recorded. */
  record: Recording;
  sink: OutputSink;
  /** Counts the bytes of this attachment, and those of the account. */
  use: Use;
  /** Called before the device is asked, which waits for it. The terminal is refused if it rejects. */
  beforeOpen: () => Promise<void>;
  /** Output waits for the promise, if there is one. It gives why the terminal is refused after all. */
  onOpened: (opened: Opened) => Promise<Ending | undefined> | undefined;
  /** Shows the screen and the size. */
  screen: ScreenEvents;
  /** The agent has accepted this many bytes of the writer. */
  onAccepted: (typed: number) => void;
  /** The device accepts input more slowly than it arrives. */
  onPressure: (pressed: boolean) => void;
}
