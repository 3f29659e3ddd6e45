import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import type { AnswerListener, AnswerParser } from './answer.ts';

const SWITCHED = 101;
const SWITCHED_PROBLEM = 'The server switched to an unrequested protocol.';

/**
 * Parses one response with a `node:http` client that sends nowhere and receives the parser's input: the twin of the native parser on
 * public API. It copies its input, and its connection carries one exchange.
 */
export class ClientParser implements AnswerParser {
  bodiless = false;
  readonly reusable = false;
  private wire: Duplex | undefined;
  private asked: ClientRequest | undefined;
  private done: ((error?: Error) => void) | undefined;
  private over = false;

  constructor(private readonly listener: AnswerListener) {}

  expect(): void {
    const wire = new Duplex({ read: () => {}, write: (_bytes, _encoding, sent) => sent(), allowHalfOpen: true });
    const asked = request({ method: this.bodiless ? 'HEAD' : 'GET', createConnection: () => wire });
    asked.on('information', ({ statusCode: status, statusMessage: reason, rawHeaders: lines }) => {
      if (!this.over) this.listener.information({ status, reason, lines, keeps: true });
    });
    asked.on('response', (answer) => this.read(answer));
    asked.on('upgrade', () => this.fail(new Error(SWITCHED_PROBLEM)));
    asked.on('error', (error) => this.fail(error));
    asked.end();
    this.wire = wire;
    this.asked = asked;
  }

  take(bytes: Buffer): void {
    this.wire?.push(Buffer.from(bytes));
  }

  finish(done: (error?: Error) => void): void {
    if (this.over || !this.wire) return done();
    this.done = done;
    this.wire.push(null);
  }

  close(): void {
    this.over = true;
    this.asked?.destroy();
    this.wire?.destroy();
  }

  private read(answer: IncomingMessage): void {
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders: lines } = answer;
    // Without `Connection: Upgrade` it arrives as a response.
    if (status === SWITCHED) return this.fail(new Error(SWITCHED_PROBLEM));
    this.listener.begin();
    this.listener.head({ status, reason, lines, keeps: false });
    answer.on('data', (piece: Buffer) => this.over || this.listener.body(piece));
    answer.once('end', () => this.end());
    answer.once('error', (error) => this.fail(error));
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.listener.end();
    this.done?.();
  }

  private fail(error: Error): void {
    if (this.over) return;
    this.over = true;
    if (this.done) this.done(error);
    else this.listener.broken(error);
  }
}
