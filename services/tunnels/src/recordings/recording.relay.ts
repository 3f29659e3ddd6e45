import { RecordingChannel } from '@warren/platform/recordings/channel';
import {
  RecordingInputSchema,
  RecordingOutputSchema,
  type RecordingInput,
  type RecordingOutput,
} from '@warren/proto/tunnels/v1/recordings';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Duplex } from 'node:stream';

/** Where a reader puts what it reads. */
export interface ReaderSink {
  /** False while the reader should wait for `resume`. */
  readonly ready: boolean;
  data(offset: number, bytes: Uint8Array): void;
  message(message: MessageInitShape<typeof RecordingOutputSchema>): void;
  /** The recorder gets the output from now on. */
  following(): void;
  /** The session has ended: the recorder may close the recording. */
  over(): void;
  /** Nothing more comes. @param error the recorder has to begin again */
  ended(error?: Error): void;
}

/** Reads the output of a session for its recorder. */
export interface SessionReader {
  resume(): void;
  /** All output before this offset has reached the recorder. */
  ack(offset: bigint): void;
  stored(offset: bigint): void;
  cancel(): void;
}

/** A session whose output can be read from an offset on. */
export interface RelayedSession {
  /** What it is. */
  init: MessageInitShape<typeof RecordingOutputSchema>;
  /** @throws Error if it can't be read */
  read(from: bigint, sink: ReaderSink): SessionReader;
}

export interface RelayEvents {
  /** The recorder gets the output from now on. */
  following(): void;
  /** Why the recorder stores nothing; empty if it does. */
  trouble(reason: string): void;
  /** The recording is closed. @param isOver whether the session has ended too */
  closed(isOver: boolean): void;
  ended(): void;
}

/** The most of a recorder's text for people. */
const MAX_REASON = 200;
/** How long a recorder may take to close a recording. */
const CLOSING_MS = 60_000;

/** Carries the output of one session to its recorder, at the pace of both, and the recorder's acknowledgements back. */
export class RecordingRelay {
  private readonly channel: RecordingChannel<typeof RecordingInputSchema, typeof RecordingOutputSchema>;
  private reader: SessionReader | undefined;
  private isOver = false;
  private isSessionOver = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly session: RelayedSession,
    { socket, head }: { socket: Duplex; head: Buffer },
    private readonly events: RelayEvents,
  ) {
    this.channel = new RecordingChannel(socket, head, RecordingInputSchema, RecordingOutputSchema, {
      message: (input) => this.handle(input),
      data: () => this.channel.close(new Error('The recorder sent output.')),
      writable: () => this.reader?.resume(),
      ended: () => this.finish(),
    });
    this.channel.send(session.init);
  }

  send(message: MessageInitShape<typeof RecordingOutputSchema>): void {
    this.channel.send(message);
  }

  close(): void {
    this.channel.close();
  }

  private handle({ kind }: RecordingInput): void {
    switch (kind.case) {
      case 'from':
        return this.read(kind.value);
      case 'ack':
        return this.reader?.ack(kind.value);
      case 'stored':
        return this.reader?.stored(kind.value);
      case 'trouble':
        return this.events.trouble(kind.value.slice(0, MAX_REASON));
      case 'closed':
        return this.events.closed(this.isSessionOver);
      case undefined:
        // From a newer recorder; unknown messages are ignored, as protobuf asks.
        return;
    }
  }

  private read(from: bigint): void {
    if (this.reader) return this.channel.close(new Error('The recorder began twice.'));
    try {
      this.reader = this.session.read(from, this.sink());
      this.reader.resume();
    } catch (error) {
      this.channel.close(error as Error);
    }
  }

  private sink(): ReaderSink {
    const { channel, events } = this;
    return {
      get ready() {
        return channel.ready;
      },
      data: (offset, bytes) => channel.sendData(offset, bytes),
      message: (message) => channel.send(message),
      following: () => events.following(),
      over: () => (this.isSessionOver = true),
      ended: (error) => this.readerEnded(error),
    };
  }

  /** The recorder has all, and says when the recording is closed; after an error it comes again. */
  private readerEnded(error: Error | undefined): void {
    if (this.isOver) return;
    if (error) return this.channel.close(error);
    this.timer ??= setTimeout(() => this.channel.close(), CLOSING_MS).unref();
  }

  private finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.reader?.cancel();
    this.events.ended();
  }
}

/** The message of a person who comes to a session or leaves it. */
export const personMessage = (kind: 'joined' | 'left', person: string): { kind: RecordingOutput['kind'] } => ({
  kind: { case: kind, value: person },
});
