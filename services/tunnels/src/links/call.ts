import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type {
  DescMessage,
  DescMethodBiDiStreaming,
  DescMethodServerStreaming,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { END_STREAM, envelope, EnvelopeReader } from '@warren/proto/envelope';
import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { StreamUse } from './account.shares.ts';
import type { LinkGuard } from './link.guard.ts';

/** A message of the agent is at most 64 KiB of output and its frame. */
const MAX_MESSAGE = 256 * 1024;
const CONTENT_TYPE = 'application/connect+proto';
/** Drops unknown fields: keeping them would take many times their size. */
const DECODING = { readUnknownFields: false };
/** How long an agent may take to end a call that this side has ended. */
const LINGER_MS = 5_000;

/** Events of a call; none follows `ended`. */
export interface CallEvents<O> {
  message(output: O): void;
  /** The owner may send again. */
  writable(): void;
  /** The call is over: with an error if it failed or was reset. */
  ended(error?: Error): void;
}

type StreamingMethod<I extends DescMessage, O extends DescMessage> =
  | DescMethodBiDiStreaming<I, O>
  | DescMethodServerStreaming<I, O>;

/**
 * A call with a streamed response (Connect protocol, streaming RPCs), directly on its HTTP/2 stream: delivers a message in the
 * event-loop turn in which it arrived. Connect's client passes each one through a chain of iterators, which costs a
 * keystroke more than the rest of this process, and an idle agent more memory than its link.
 */
export class StreamingCall<I extends DescMessage, O extends DescMessage> {
  private readonly stream: ClientHttp2Stream;
  private readonly reader: EnvelopeReader;
  private over = false;
  /** Paused by the owner, or by the link's share of the event loop. */
  private held = false;
  private deferred = false;

  /**
   * @param options.most bytes of a message: a part of one takes as much memory as it claims to have
   * @throws Error if the link is closed, TooManyStreams
   */
  constructor(
    private readonly session: Pick<LinkGuard, 'request' | 'requestForHub' | 'closed' | 'destroyed' | 'took' | 'later'>,
    private readonly method: StreamingMethod<I, O>,
    private readonly events: CallEvents<MessageShape<O>>,
    { use = 'people', most = MAX_MESSAGE }: { use?: StreamUse; most?: number } = {},
  ) {
    if (session.closed || session.destroyed) throw new Error('The link is gone.');
    const path = `/${method.parent.typeName}/${method.name}`;
    const headers = { ':method': 'POST', ':path': path, 'content-type': CONTENT_TYPE, 'connect-protocol-version': '1' };
    const options = { endStream: false };
    this.stream = use === 'hub' ? session.requestForHub(headers, options) : session.request(headers, options);
    this.reader = new EnvelopeReader(most, (flags, message) => this.take(flags, message));
    this.stream.on('response', (answer) => this.answered(answer));
    this.stream.on('data', (piece: Buffer) => this.attempt(() => this.read(piece)));
    this.stream.on('drain', () => this.attempt(() => this.over || this.events.writable()));
    this.stream.on('error', (error) => this.finish(error));
    this.stream.once('end', () => this.finish(new Error('The agent ended the stream early.')));
    this.stream.once('close', () => this.finish(new Error('The stream is gone.')));
  }

  /** False while the owner should wait for `writable`, and once nothing can be sent any more. */
  get ready(): boolean {
    return !this.over && this.stream.writable && !this.stream.writableNeedDrain;
  }

  send(message: MessageInitShape<I>): void {
    if (!this.over && this.stream.writable) this.stream.write(this.enveloped(message));
  }

  /** Sends the last message, and keeps receiving. */
  sendLast(message: MessageInitShape<I>): void {
    if (!this.over && this.stream.writable) this.stream.end(this.enveloped(message));
  }

  /** Stops delivering messages until `resume`; HTTP/2 flow control applies backpressure to the agent. */
  pause(): void {
    this.held = true;
    this.stream.pause();
  }

  resume(): void {
    this.held = false;
    if (!this.deferred) this.stream.resume();
  }

  /** Stops sending, and resets the stream if the agent does not end it soon. */
  end(): void {
    if (this.stream.destroyed) return;
    this.stream.end();
    this.stream.resume();
    const timer = setTimeout(() => this.cancel(), LINGER_MS).unref();
    this.stream.once('close', () => clearTimeout(timer));
  }

  /** Resets the call. */
  cancel(): void {
    this.finish(new Error('The call was broken off.'));
    this.stream.close(constants.NGHTTP2_CANCEL);
  }

  private enveloped(message: MessageInitShape<I>): Uint8Array {
    return envelope(0, toBinary(this.method.input, create(this.method.input, message)));
  }

  private answered(answer: IncomingHttpHeaders): void {
    const status = answer[':status'];
    if (Number(status) === 200 && answer['content-type'] === CONTENT_TYPE) return;
    // An agent that does not know the method (https://connectrpc.com/docs/protocol#http-to-error-code).
    const code = Number(status) === 404 ? Code.Unimplemented : Code.Unknown;
    this.fail(new ConnectError(`The agent answered ${status} to ${this.method.name}.`, code));
  }

  private take(flags: number, message: Uint8Array): void {
    if (this.over) return;
    if (!this.session.took(message.length)) this.reader.stop();
    if (flags === END_STREAM) return this.finish(errorOf(message));
    if (flags !== 0) return this.fail(new Error(`The agent sent an envelope with flags ${flags}, expected 0.`));
    this.events.message(fromBinary(this.method.output, message, DECODING));
  }

  /** Leaves what exceeds the link's share of this event-loop turn to the next one. */
  private read(piece: Buffer): void {
    const read = this.reader.push(piece);
    if (read === piece.length || this.stream.destroyed) return;
    this.stream.pause();
    this.stream.unshift(piece.subarray(read));
    this.deferred = true;
    this.session.later(() => {
      this.deferred = false;
      if (!this.held) this.stream.resume();
    });
  }

  /** Handles what a device causes: a failure ends this call and nothing else. */
  private attempt(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private fail(error: Error): void {
    this.finish(error);
    this.stream.close(constants.NGHTTP2_CANCEL);
  }

  private finish(error?: Error): void {
    if (this.over) return;
    this.over = true;
    this.events.ended(error);
  }
}

/** The error in the last envelope of a stream, if any. */
function errorOf(json: Uint8Array): Error | undefined {
  const parsed = JSON.parse(Buffer.from(json).toString()) as { error?: { code?: unknown; message?: unknown } } | null;
  const error = parsed?.error;
  return error ? new ConnectError(String(error.message ?? ''), codeOf(String(error.code))) : undefined;
}

/** The code by its name on the wire: `failed_precondition`. */
function codeOf(name: string): Code {
  const wanted = name.replaceAll('_', '').toLowerCase();
  const found = Object.entries(Code).find(([key]) => key.toLowerCase() === wanted);
  return found ? (found[1] as Code) : Code.Unknown;
}
