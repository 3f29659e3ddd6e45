import type { AgentLink } from '../links/link.ts';
import { LARGEST_WINDOW } from '../links/stream.window.ts';
import { DesktopReader } from './desktop.reader.ts';
import type { RecordingMessage } from './mark.ts';
import { RecordedSource, type RecordedSession } from './recorded.source.ts';
import type { RelayedSession } from './recording.relay.ts';
import { UnstoredBytes } from './unstored.bytes.ts';

const WORDS = {
  waiting: 'Recording is not possible at the moment. The desktop waits.',
  interrupted: 'Recording is not possible at the moment, and ends if that lasts.',
};
const OVERFLOWED = 'More came than could be stored in time.';
const STOPPED = 'The recording of this desktop has ended.';
const CLOSED_EARLY = 'The recording of this desktop was closed, and your account requires one.';
/** With so many bytes less than full, reading resumes. */
const SLACK = 256 * 1024;

/** Why a desktop ends: its recording is over, or this process is. */
export type StopCode = 'unrecorded' | 'moved';

/** The desktop itself. */
export interface DesktopOwner {
  /** More may be read from the VNC server. */
  room(): void;
  /** The desktop has to end. @param reason for the person */
  stop(reason: string, code: StopCode): void;
}

/** What a desktop needs of those that keep it. */
export interface DesktopKeeper {
  /** Bytes that one desktop may keep until they are stored. */
  limit(): number;
  closed(desktop: RecordedDesktop): void;
}

/** One recorded desktop: what its VNC server sent and is not stored yet. It ends with its connection. */
export class RecordedDesktop extends RecordedSource {
  readonly kind = 'desktop';
  /** Undefined before the desktop is shown, and when it has ended. */
  owner: DesktopOwner | undefined;
  readonly bytes = new UnstoredBytes();
  /** Why the recording ends, once nothing more is added. */
  ending: string | undefined;
  /** Whether the desktop is over, too. */
  isOver = false;
  /** Bytes that came after the end of the recording. */
  missing = 0;
  private reader: DesktopReader | undefined;
  private isFull = false;
  private isDue = false;

  constructor(
    session: RecordedSession,
    readonly link: AgentLink,
    private readonly keeper: DesktopKeeper,
  ) {
    super(session, WORDS);
  }

  override get mark(): RecordingMessage {
    if (this.ending === undefined || this.isOver) return super.mark;
    return { ...super.mark, recorded: false, state: 'stopped', reason: `${STOPPED} ${this.ending}` };
  }

  /**
   * Copies bytes that the VNC server sent. With best effort, those that don't fit end the recording: a picture that lacks some can't be
   * continued.
   * @returns false to read nothing more until the owner has room again
   */
  take(bytes: Uint8Array): boolean {
    if (this.ending !== undefined) {
      this.missing += bytes.length;
      return true;
    }
    const limit = this.keeper.limit();
    // What is in flight when reading stops arrives all the same.
    const most = this.isRequired ? limit + LARGEST_WINDOW : limit;
    if (this.bytes.length + bytes.length > most) return this.overflow(bytes.length);
    this.bytes.add(bytes);
    this.readSoon();
    this.isFull = this.isRequired && this.bytes.length >= limit;
    return !this.isFull;
  }

  /** All bytes before an offset are stored. */
  stored(offset: number): void {
    this.bytes.drop(offset);
    if (!this.isFull || this.bytes.length > this.keeper.limit() - SLACK) return;
    this.isFull = false;
    this.owner?.room();
  }

  /** Ends the recording for a reason, and a desktop that must have one. Does nothing if the recording has ended. */
  abandon(reason: string): void {
    if (this.ending !== undefined) return;
    this.endRecording(reason);
    if (this.isRequired) this.owner?.stop(reason, 'unrecorded');
  }

  /** The desktop has ended: the recording does, once its last bytes are stored. */
  finish(reason: string): void {
    this.owner = undefined;
    this.isOver = true;
    this.ending ??= reason;
    this.stopWaiting();
    this.reader?.resume();
  }

  override dispose(): void {
    super.dispose();
    this.bytes.clear();
  }

  protected override relayed(): RelayedSession {
    const { startedAt, ...session } = this.session;
    return {
      init: { kind: { case: 'desktop', value: { ...session, startedAt: BigInt(startedAt) } } },
      read: (from, sink) => (this.reader = new DesktopReader(this, Number(from), sink)),
    };
  }

  protected override closed(): void {
    if (!this.isOver) this.endRecording('It was closed.');
    if (this.isRequired) this.owner?.stop(CLOSED_EARLY, 'unrecorded');
    this.keeper.closed(this);
  }

  private overflow(bytes: number): boolean {
    this.missing += bytes;
    this.abandon(OVERFLOWED);
    return true;
  }

  /** Ends the recording before its desktop. */
  private endRecording(reason: string): void {
    if (this.ending !== undefined) return;
    this.ending = reason;
    this.reader?.resume();
    this.announce();
  }

  /** Sends what comes in one turn of the event loop together. */
  private readSoon(): void {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.reader?.resume();
    });
  }
}
