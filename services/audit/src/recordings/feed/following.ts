import { Fault } from '@warren/platform/errors/fault';
import { TerminalRefusal, type TerminalOutput } from '@warren/proto/agent/v1/agent';
import type { RecordedEnd, RecordingOutput } from '@warren/proto/tunnels/v1/recordings';
import {
  ClaimLost,
  RecordingOver,
  type RecordedSession,
  type RecordingKind,
  type RecordingWriter,
  type SessionEnd,
} from '../writer.ts';
import type { RecordingBudget } from './budget.ts';
import { WrongOffset } from './pending.events.ts';
import { Recording } from './recording.ts';
import { sessionOf } from './session.ts';
import { openStream, type TerminalStream } from './terminal.stream.ts';

/** Bytes after which an agent gets its window back. */
const ACK_BYTES = 16 << 10;
const SLOW = 'The store is slow.';
const FULL = "The account's recordings take all their space.";
const NO_STORE = 'The store does not answer.';
const BROKEN = 'the device sent output in a wrong order';

/** The writer or its store has failed. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';

  /** Whether only the quota of the account is used up. */
  get isFull(): boolean {
    return this.cause instanceof Fault && this.cause.code === 'resource_exhausted';
  }
}

/** The device has broken the protocol. */
export class ProtocolBroken extends Error {}

/** How a stream ended: with the recording closed, or by an error. */
interface Outcome {
  closed: boolean;
  error?: unknown;
}

/** One stream of a session, and the recording that it is written to. */
export class Following {
  private stream: TerminalStream | undefined;
  private recording: Recording | undefined;
  private kind: RecordingKind = 'terminal';
  private acked = 0;
  private size: { cols: number; rows: number } | undefined;
  private ending: Promise<void> | undefined;
  private isSlow = false;
  private over = false;
  private settle: (outcome: Outcome) => void = () => {};

  constructor(
    private readonly writer: RecordingWriter,
    private readonly budget: RecordingBudget,
  ) {}

  /**
   * Records until the stream ends.
   * @returns true if the recording is closed
   * @throws ClaimLost, StoreFailed, ProtocolBroken, Error for a stream that broke
   */
  async run(address: string, ticket: string): Promise<boolean> {
    const leave = this.budget.join();
    const outcome = new Promise<Outcome>((resolve) => (this.settle = resolve));
    try {
      this.stream = await openStream(address, ticket, {
        message: (output) => this.handle(output),
        data: (offset, bytes) => this.attempt(() => this.output(offset, bytes)),
        writable: () => {},
        ended: (error) => this.ended(error),
      });
      if (this.over) this.stream.close();
      const { closed, error } = await outcome;
      if (error !== undefined) throw error;
      return closed;
    } finally {
      this.stop();
      leave();
    }
  }

  /** Stops writing at once. */
  stop(): void {
    this.over = true;
    this.recording?.stop();
    this.stream?.close();
    this.settle({ closed: false });
  }

  /** Stores what has come, and stops. Never rejects. */
  async handOver(): Promise<void> {
    this.stream?.pause();
    await this.recording?.handOver();
    this.stop();
  }

  private handle({ kind }: RecordingOutput): void {
    switch (kind.case) {
      case 'terminal':
      case 'desktop':
        return void this.open(sessionOf(kind.case, kind.value)).catch((error: unknown) => this.fail(error));
      case 'end':
        return this.attempt(() => this.desktopEnded(kind.value));
      case 'output':
        return this.attempt(() => this.take(kind.value));
      case 'joined':
      case 'left':
        this.recording?.events.person(kind.case, kind.value);
        return this.recording?.added();
      case undefined:
        // From a newer tunnels; unknown messages are ignored, as protobuf asks.
        return;
    }
  }

  private async open(session: RecordedSession): Promise<void> {
    if (this.recording) throw new ProtocolBroken('the session came twice');
    this.kind = session.kind;
    try {
      const { id, next } = await this.writer.open(session);
      if (this.over) return this.writer.release(id);
      this.begin(id, { startedAt: session.startedAt.getTime(), next });
    } catch (error) {
      if (error instanceof RecordingOver) return this.closed();
      throw storeError(error);
    }
  }

  private begin(id: string, at: { startedAt: number; next: number }): void {
    this.recording = new Recording({ id, kind: this.kind, ...at }, this.writer, this.budget, {
      // The agent forgets a terminal when its exit is stored.
      stored: (offset) => this.ending ?? this.stored(offset),
      slow: (isSlow) => this.tellSlow(isSlow),
      room: (hasRoom) => (hasRoom ? this.stream?.resume() : this.stream?.pause()),
      failed: (error) => this.fail(storeError(error)),
    });
    this.acked = at.next;
    this.stream?.send({ kind: { case: 'from', value: BigInt(at.next) } });
  }

  private output(offset: number, bytes: Uint8Array): void {
    const { recording } = this;
    if (!recording) throw new ProtocolBroken('output came before the session was open');
    if (this.ending) return;
    recording.events.output(offset, bytes);
    recording.added();
    // Tunnels has no window for a desktop: what is stored counts.
    if (this.kind === 'terminal' && recording.events.next - this.acked >= ACK_BYTES) this.ack(recording.events.next);
  }

  private take({ kind }: TerminalOutput): void {
    const events = this.recording?.events;
    if (!events || this.kind !== 'terminal') throw new ProtocolBroken('output of a terminal came before it was open');
    if (this.ending) return;
    switch (kind.case) {
      case 'opened':
      case 'size':
        this.resize(kind.case === 'opened' ? kind.value.size : kind.value);
        break;
      case 'snapshot':
        events.snapshot(Number(kind.value.offset), kind.value.data, kind.value.size);
        // Output follows when the snapshot is acknowledged.
        this.ack(events.next);
        break;
      case 'exit':
        return this.end({ exit: kind.value.code });
      case 'refused':
        return this.refused(kind.value.code);
      default:
        return;
    }
    this.recording?.added();
  }

  private desktopEnded({ reason, missing }: RecordedEnd): void {
    const events = this.recording?.events;
    if (!events || this.kind !== 'desktop') throw new ProtocolBroken('a desktop ended before it was open');
    if (missing > 0n) events.gap(Number(missing), reason);
    this.end({ reason });
  }

  /** Of a flood of equal sizes one is recorded. */
  private resize(size: { cols: number; rows: number } | undefined): void {
    const { cols, rows } = size ?? {};
    if (cols === undefined || rows === undefined) return;
    if (this.size?.cols === cols && this.size.rows === rows) return;
    this.size = { cols, rows };
    this.recording?.events.resize(this.size);
  }

  private refused(code: TerminalRefusal): void {
    if (code === TerminalRefusal.GONE) return this.end({ reason: 'The terminal ended while nothing recorded it.' });
    this.fail(new Error(`the agent refused the recorder with code ${code}`));
  }

  /** Stores the rest and closes the recording; then the agent may forget the terminal. */
  private end(end: SessionEnd): void {
    const { recording } = this;
    if (!recording || this.ending) return;
    this.ending = recording.close(end).then(
      () => {
        this.stored(recording.events.next);
        this.closed();
      },
      (error: unknown) => this.fail(storeError(error)),
    );
  }

  private closed(): void {
    this.stream?.send({ kind: { case: 'closed', value: {} } });
    this.stream?.end();
    this.settle({ closed: true });
  }

  private ack(offset: number): void {
    this.acked = offset;
    this.stream?.send({ kind: { case: 'ack', value: BigInt(offset) } });
  }

  private stored(offset: number): void {
    this.stream?.send({ kind: { case: 'stored', value: BigInt(offset) } });
  }

  private tellSlow(isSlow: boolean): void {
    if (isSlow === this.isSlow) return;
    this.isSlow = isSlow;
    this.tell(isSlow ? SLOW : '');
  }

  private tell(trouble: string): void {
    this.stream?.send({ kind: { case: 'trouble', value: trouble } });
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof WrongOffset) this.end({ reason: BROKEN });
      else this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (this.over) return;
    if (error instanceof StoreFailed) this.tell(error.isFull ? FULL : NO_STORE);
    this.stream?.end();
    this.settle({ closed: false, error });
  }

  private ended(error: Error | undefined): void {
    if (this.ending) return void this.ending.then(() => this.settle({ closed: true }));
    this.settle({ closed: false, error: error ?? new Error('the stream ended') });
  }
}

function storeError(error: unknown): Error {
  return error instanceof ClaimLost ? error : new StoreFailed('the recording could not be stored', { cause: error });
}
