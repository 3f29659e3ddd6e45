import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerHead } from './answer.ts';
import type { Connection, Exchange } from './connection.ts';
import type { Connections } from './connections.ts';
import { WriteBatch } from './write.batch.ts';
import { fields, type HeaderLines } from './header.lines.ts';
import { Interim } from './interim.ts';
import type { Carried } from './pump.ts';
import { shortLived } from './short.lived.ts';

/** The next hop of a request, and the handling of its response. */
export interface Onward {
  connections: Connections;
  path: string;
  /** The whole head of the request, without framing headers other than Content-Length. */
  lines: HeaderLines;
  /** Milliseconds from the end of the request to the head of the response. */
  answerMs: number;
  /** Returns the response's headers for the client, without hop-by-hop ones. */
  answerLines: (lines: HeaderLines) => string[];
  /** Whether bytes arrive in many small reads, which are worth batching. */
  piecemeal?: boolean;
  /** Where connections count the bytes of this request and its response, if they do. */
  carried?: Carried;
}

/** The reason for a missing response; `cause` is the connection's error. */
export class RelayFailed extends Error {
  constructor(
    readonly kind: 'unreachable' | 'broken' | 'slow' | 'unreadable',
    cause?: unknown,
  ) {
    super(`The next hop is ${kind}.`, { cause });
    this.name = 'RelayFailed';
  }
}

/**
 * Relays an HTTP/1.1 request and its response, both streamed with backpressure. A limited number of 1xx responses is passed on;
 * trailers are not. A truncated response closes the client's connection, so that the client notices.
 * @throws RelayFailed when no head came; the client has no response then
 */
export function relay(request: IncomingMessage, response: ServerResponse, onward: Onward): Promise<void> {
  return new Promise((resolve, reject) => new Passage(request, response, onward, { resolve, reject }).start());
}

/** Whether a request has a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const CRLF = Buffer.from('\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

class Passage implements Exchange {
  readonly bodiless: boolean;
  readonly carried: Carried | undefined;
  private connection: Connection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private answered = false;
  private begun = false;
  private whole = false;
  private settled = false;
  private again = true;
  private readonly brings: boolean;
  private readonly chunked: boolean;
  private readonly batch: WriteBatch;
  private readonly interim = new Interim();

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly onward: Onward,
    private readonly done: { resolve: () => void; reject: (error: Error) => void },
  ) {
    this.bodiless = request.method === 'HEAD';
    this.carried = onward.carried;
    this.brings = hasBody(request);
    this.chunked = this.brings && request.headers['content-length'] === undefined;
    this.batch = new WriteBatch(request.socket, () => this.written());
    response.on('error', ignore);
    response.once('close', () => this.closed());
  }

  start(): void {
    if (!this.brings) this.expectAnswer();
    this.onward.connections.run(this);
  }

  connected(connection: Connection): void {
    this.connection = connection;
    connection.write(Buffer.from(this.requestHead(), 'latin1'));
    if (!this.brings) return connection.sent();
    this.request.on('data', this.upload);
    this.request.once('end', this.uploaded);
  }

  drained(): void {
    if (this.brings) this.request.resume();
  }

  information(head: AnswerHead): void {
    const { response } = this;
    const { status, lines } = head;
    if (this.settled) return;
    if (!this.interim.admit(head)) return this.refuse(new Error(this.interim.problem));
    if (status === 100) response.writeContinue();
    else if (status === 102) response.writeProcessing();
    else if (status === 103) earlyHints(response, lines);
  }

  head({ status, reason, lines }: AnswerHead): void {
    clearTimeout(this.timer);
    if (this.settled) return;
    try {
      this.response.writeHead(status, reason, this.onward.answerLines(lines));
      this.answered = true;
    } catch (error) {
      this.refuse(error);
    }
  }

  cork(): void {
    this.batch.begin();
  }

  uncork(): boolean {
    const { answered, begun, whole } = this;
    this.batch.end(begun && !whole && this.onward.piecemeal === true);
    // The head is written with the first bytes of the body, unless these take long.
    if (answered && !begun && !whole) setImmediate(() => this.begun || this.whole || this.flushHead());
    return this.response.writableLength === 0;
  }

  body(piece: Buffer): void {
    if (!this.answered) return;
    this.begun = true;
    shortLived(piece.length);
    this.batch.add(piece.length);
    this.response.write(piece);
  }

  end(): void {
    this.whole = true;
    if (this.brings) this.stopUpload();
    if (this.answered) this.response.end();
  }

  failed(error: Error, connection?: Connection): void {
    clearTimeout(this.timer);
    this.connection = undefined;
    if (this.settled) return;
    if (this.answered) return void this.response.destroy();
    // The server closed an idle connection at the same moment; it has not read the request, or a repetition is safe.
    if (connection?.reused && !this.brings && this.again) {
      this.again = false;
      return this.start();
    }
    this.fail(new RelayFailed(connection ? 'broken' : 'unreachable', error));
  }

  private requestHead(): string {
    const { lines, path, connections } = this.onward;
    let head = `${this.request.method ?? 'GET'} ${path} HTTP/1.1\r\n`;
    for (let index = 0; index + 1 < lines.length; index += 2) head += `${lines[index]}: ${lines[index + 1]}\r\n`;
    if (this.chunked) head += 'Transfer-Encoding: chunked\r\n';
    return `${head}Connection: ${connections.keeps ? 'keep-alive' : 'close'}\r\n\r\n`;
  }

  private readonly upload = (piece: Buffer): void => {
    const { connection } = this;
    if (!connection) return;
    shortLived(piece.length);
    const size = this.chunked ? Buffer.from(`${piece.length.toString(16)}\r\n`) : undefined;
    const room = size ? connection.write(size, piece, CRLF) : connection.write(piece);
    if (!room) this.request.pause();
  };

  private readonly uploaded = (): void => {
    if (this.chunked) this.connection?.write(LAST_CHUNK);
    this.connection?.sent();
    this.expectAnswer();
  };

  /** The rest of the upload has no reader. */
  private stopUpload(): void {
    this.request.off('data', this.upload).off('end', this.uploaded).resume();
  }

  private expectAnswer(): void {
    if (this.answered) return;
    this.timer = setTimeout(() => {
      this.fail(new RelayFailed('slow'));
      this.leave();
    }, this.onward.answerMs);
  }

  /** The batch is out, or waits for the client, whose backpressure then applies to the other side. */
  private written(): void {
    const { response, connection, whole } = this;
    if (whole || !connection || !response.writableNeedDrain || response.writableLength === 0) return;
    connection.pause();
    response.once('drain', () => this.whole || connection.resume());
  }

  /** The next hop violates HTTP. */
  private refuse(cause: unknown): void {
    this.fail(new RelayFailed('unreadable', cause));
    this.connection?.destroy();
  }

  private leave(): void {
    if (this.connection) this.connection.destroy();
    else this.onward.connections.cancel(this);
  }

  private fail(error: RelayFailed): void {
    if (this.settled) return;
    this.settled = true;
    if (this.brings) this.stopUpload();
    this.done.reject(error);
  }

  private closed(): void {
    clearTimeout(this.timer);
    if (!this.whole) this.leave();
    if (this.settled) return;
    this.settled = true;
    this.done.resolve();
  }

  private flushHead(): void {
    if (!this.response.destroyed) this.response.flushHeaders();
  }
}

function earlyHints(response: ServerResponse, lines: HeaderLines): void {
  const links: string[] = [];
  for (const [, value, lower] of fields(lines)) if (lower === 'link') links.push(value);
  try {
    if (links.length > 0) response.writeEarlyHints({ link: links.join(', ') });
  } catch {
    // Node passes only well-formed hints, and a hint may be dropped.
  }
}

function ignore(): void {
  // A broken connection emits close as well, which is what counts.
}
