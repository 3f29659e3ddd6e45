import {
  request as httpRequest,
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { shortLived } from './short.lived.ts';

/** Where a request goes on, and how its answer comes back. */
export interface Onward {
  /** Gives the connection. */
  agent: Agent;
  hostname: string;
  port: number;
  path: string;
  /** The whole head of the request, without framing other than Content-Length. */
  lines: string[];
  /** Milliseconds from the end of the request to the head of the answer. */
  answerMs: number;
  /** The answer's headers as they go to the client, without those of the connection. */
  answerLines: (answer: IncomingMessage) => string[];
}

/** Why there is no answer to pass on; `cause` is what the connection said. */
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
 * Passes an HTTP/1.1 request on and its answer back, both streamed with backpressure. 1xx answers are passed on; trailers are
 * not. An answer that breaks off breaks the connection off, so that the client knows.
 * @throws RelayFailed when no head came; nothing has been answered then
 */
export function relay(request: IncomingMessage, response: ServerResponse, onward: Onward): Promise<void> {
  return new Promise((resolve, reject) => new Passage(request, response, onward, { resolve, reject }).start());
}

/** Whether a request brings a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

class Passage {
  private outgoing: ClientRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private answered = false;
  private settled = false;
  private again = true;
  private readonly body: boolean;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly onward: Onward,
    private readonly done: { resolve: () => void; reject: (error: Error) => void },
  ) {
    this.body = hasBody(request);
    response.once('close', () => this.closed());
  }

  start(): void {
    const { request, response, body } = this;
    const { agent, hostname, port, path, lines } = this.onward;
    const headers =
      body && request.headers['content-length'] === undefined ? [...lines, 'Transfer-Encoding', 'chunked'] : lines;
    const method = request.method ?? 'GET';
    const outgoing = httpRequest({ agent, hostname, port, path, method, headers });
    this.outgoing = outgoing;
    outgoing.once('response', (answer) => this.answer(answer));
    outgoing.once('error', (error) => this.broke(error));
    outgoing.once('continue', () => response.writeContinue());
    outgoing.on('information', ({ statusCode, headers: { link } }) => {
      if (statusCode === 103 && link) response.writeEarlyHints({ link });
      else if (statusCode === 102) response.writeProcessing();
    });
    if (!body) {
      outgoing.end();
      return this.expectAnswer();
    }
    outgoing.once('finish', () => this.expectAnswer());
    request.on('data', forgotten).pipe(outgoing);
  }

  private expectAnswer(): void {
    if (this.answered) return;
    this.timer = setTimeout(() => {
      this.fail(new RelayFailed('slow'));
      this.outgoing?.destroy();
    }, this.onward.answerMs);
  }

  private answer(answer: IncomingMessage): void {
    const { response, onward } = this;
    clearTimeout(this.timer);
    this.answered = true;
    try {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', onward.answerLines(answer));
    } catch (error) {
      this.fail(new RelayFailed('unreadable', error));
      return void this.outgoing?.destroy();
    }
    answer.on('data', forgotten).pipe(response);
    answer.once('close', () => {
      if (!answer.complete) response.destroy();
    });
    // The head goes with the first bytes of the body, unless these are long in coming.
    setImmediate(() => {
      if (!response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  }

  private broke(error: Error): void {
    clearTimeout(this.timer);
    if (this.answered) return;
    // A kept connection that the other side was just closing; the request has not been read there, or is safe to repeat.
    if (this.outgoing?.reusedSocket && !this.body && this.again && !this.settled) {
      this.again = false;
      return this.start();
    }
    this.fail(new RelayFailed(this.outgoing?.socket ? 'broken' : 'unreachable', error));
  }

  private fail(error: RelayFailed): void {
    if (this.settled) return;
    this.settled = true;
    this.request.unpipe();
    this.done.reject(error);
  }

  private closed(): void {
    clearTimeout(this.timer);
    if (!this.response.writableFinished) this.outgoing?.destroy();
    if (this.settled) return;
    this.settled = true;
    this.done.resolve();
  }
}

function forgotten(piece: Buffer): void {
  shortLived(piece.length);
}
