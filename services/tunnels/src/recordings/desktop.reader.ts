import type { ReaderSink, SessionReader } from './recording.relay.ts';
import type { UnstoredBytes } from './unstored.bytes.ts';

const GONE = 'Its beginning is not there any more.';

/** What is read of a desktop. */
interface KeptDesktop {
  readonly bytes: UnstoredBytes;
  /** Why nothing follows the bytes; undefined while more may. */
  readonly ending: string | undefined;
  /** Whether the desktop has ended, not only its recording. */
  readonly isOver: boolean;
  /** Bytes that came after the end of the recording. */
  readonly missing: number;
  stored(offset: number): void;
}

/** Reads what a desktop keeps, and then why nothing follows. */
export class DesktopReader implements SessionReader {
  private isDone = false;

  constructor(
    private readonly desktop: KeptDesktop,
    private at: number,
    private readonly sink: ReaderSink,
  ) {
    const { start, end } = desktop.bytes;
    if (at >= start && at <= end) {
      sink.following();
      // The recorder before this one may have died between storing and saying so.
      desktop.stored(at);
    } else this.end(GONE, Math.max(0, start - at));
  }

  resume(): void {
    const { desktop, sink } = this;
    while (!this.isDone && sink.ready && this.at < desktop.bytes.end) {
      const piece = desktop.bytes.piece(this.at);
      sink.data(this.at, piece);
      this.at += piece.length;
    }
    if (this.isDone || this.at < desktop.bytes.end || desktop.ending === undefined) return;
    if (desktop.isOver) sink.over();
    this.end(desktop.ending, desktop.missing);
  }

  /** The recorder says what it has stored. */
  ack(): void {}

  stored(offset: bigint): void {
    // What was not sent can't be stored.
    this.desktop.stored(Math.min(Number(offset), this.at));
  }

  cancel(): void {
    this.isDone = true;
  }

  private end(reason: string, missing: number): void {
    this.isDone = true;
    this.sink.message({ kind: { case: 'end', value: { reason, missing: BigInt(missing) } } });
    this.sink.ended();
  }
}
