import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { DescMessage, DescMethodBiDiStreaming, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import { END_STREAM, envelope, EnvelopeReader } from '@warren/proto/envelope';
import { constants, type ServerHttp2Stream } from 'node:http2';

const INPUT_MAX = 1024 * 1024;
const CONTENT_TYPE = 'application/connect+proto';
/** High-water mark of buffered bytes: two of the largest messages. */
const IN_FLIGHT = 128 * 1024;
const LINGER_MS = 2_000;

/** Events of a call for its handler. */
export interface CallEvents<I> {
  /** @throws ConnectError to end the call with it */
  message(input: I): void;
  /** The output is flushed, so the handler may write again. */
  drained(): void;
  /** The hub's input has ended, or the stream broke. Called once. */
  left(): void;
}

/**
 * The server's side of a bidirectional streaming call (Connect protocol), directly on its HTTP/2 stream: input is handled in the
 * turn of the event loop in which it arrived, since every turn adds to the latency of a keystroke.
 */
export class ServedCall<I extends DescMessage, O extends DescMessage> {
  private readonly stream: ServerHttp2Stream;
  private readonly method: DescMethodBiDiStreaming<I, O>;
  private readonly events: CallEvents<MessageShape<I>>;
  private left = false;

  constructor(stream: ServerHttp2Stream, method: DescMethodBiDiStreaming<I, O>, events: CallEvents<MessageShape<I>>) {
    this.stream = stream;
    this.method = method;
    this.events = events;
    const reader = new EnvelopeReader(INPUT_MAX, (flags, message) => this.take(flags, message));
    stream.on('error', () => this.leave());
    stream.once('close', () => this.leave());
    stream.once('end', () => this.leave());
    stream.on('data', (piece: Buffer) => this.attempt(() => reader.push(piece)));
    stream.respond({ ':status': 200, 'content-type': CONTENT_TYPE });
  }

  /** True while output is below the high-water mark. */
  get ready(): boolean {
    return this.stream.writable && this.stream.writableLength < IN_FLIGHT;
  }

  send(message: MessageInitShape<O>): void {
    this.sendEncoded(envelope(0, toBinary(this.method.output, create(this.method.output, message))));
  }

  /** Sends a message that is already in its envelope; `tail` follows `head`. */
  sendEncoded(head: Uint8Array, tail?: Uint8Array): void {
    const { writable } = this.stream;
    if (!writable) return;
    if (!tail) return void this.stream.write(head, this.written);
    this.stream.cork();
    this.stream.write(head);
    this.stream.write(tail, this.written);
    this.stream.uncork();
  }

  /** Stops reading input until `resume`; HTTP/2 flow control applies backpressure to the hub. */
  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  /**
   * Ends the call. If the hub does not end its side in time, it is reset (RFC 9113, section 8.1); otherwise the stream would stay
   * open as long as the link.
   */
  end(error?: ConnectError): void {
    const stream = this.stream;
    if (!stream.writable) return;
    const end = error ? { error: { code: nameOf(error.code), message: error.rawMessage } } : {};
    stream.end(envelope(END_STREAM, Buffer.from(JSON.stringify(end))));
    stream.resume();
    const late = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), LINGER_MS);
    late.unref();
    stream.once('close', () => clearTimeout(late));
  }

  private written = (): void => this.events.drained();

  private take(flags: number, message: Uint8Array): void {
    if (this.left || !this.stream.writable) return;
    if (flags !== 0) throw new ConnectError(`an envelope has flags ${flags}, expected 0`, Code.InvalidArgument);
    this.events.message(fromBinary(this.method.input, message));
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.end(ConnectError.from(error, Code.InvalidArgument));
      this.leave();
    }
  }

  private leave(): void {
    if (this.left) return;
    this.left = true;
    this.events.left();
  }
}

/** The wire name of a code: `invalid_argument` (https://connectrpc.com/docs/protocol#error-codes). */
function nameOf(code: Code): string {
  return Code[code].replace(/\B[A-Z]/g, '_$&').toLowerCase();
}

/** Whether {@link ServedCall} supports a request: uncompressed protobuf in envelopes. */
export function isStreamingCall(headers: Record<string, string | string[] | undefined>): boolean {
  const encoding = headers['connect-content-encoding'] ?? 'identity';
  return headers[':method'] === 'POST' && headers['content-type'] === CONTENT_TYPE && encoding === 'identity';
}
