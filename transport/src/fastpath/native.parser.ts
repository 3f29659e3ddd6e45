import { createRequire } from 'node:module';
import type { AnswerHead, AnswerListener, AnswerParser } from '../answer.ts';
import { isFast } from './fast.path.ts';

type HeadersComplete = (
  ...args: [
    ...version: [major: number, minor: number],
    lines: string[] | undefined,
    ...request: [method: unknown, url: unknown],
    ...answer: [status: number, reason: string, upgrade: boolean, keeps: boolean],
  ]
) => number;

/** Node's own parser, llhttp, reduced to what is used here. */
interface Native {
  initialize(type: number, resource: object): void;
  execute(bytes: Buffer): number | Error | undefined;
  finish(): Error | undefined;
  close(): void;
  [callback: number]: unknown;
}
interface NativeClass {
  new (): Native;
  RESPONSE: number;
  kOnMessageBegin: number;
  kOnHeaders: number;
  kOnHeadersComplete: number;
  kOnBody: number;
  kOnMessageComplete: number;
}

/** The return value that leaves a body framed as its headers say (llhttp, `on_headers_complete`). */
const AS_FRAMED = 0;
const NONE = 1;
const NOT_HTTP = 2;
const SWITCHED = 101;

const { HTTPParser } = hidden();

/** Parses the responses of one connection in sequence with `node:http`'s own parser. */
export class NativeParser implements AnswerParser {
  bodiless = false;
  readonly reusable = true;
  private readonly native = new HTTPParser();
  /** Header lines of a head that is too long for one callback. */
  private begun: string[] = [];
  private inBody = false;
  private wrong: Error | undefined;

  constructor(private readonly listener: AnswerListener) {
    const { native } = this;
    native.initialize(HTTPParser.RESPONSE, {});
    native[HTTPParser.kOnMessageBegin] = () => this.listener.begin();
    native[HTTPParser.kOnHeaders] = (lines: string[]) => {
      // After the body they are trailers.
      if (!this.inBody) this.begun.push(...lines);
    };
    const complete: HeadersComplete = (_major, _minor, lines, _method, _url, status, reason, _upgrade, keeps) =>
      this.headed({ status, reason, lines: lines ?? this.begun, keeps });
    native[HTTPParser.kOnHeadersComplete] = complete;
    native[HTTPParser.kOnBody] = (piece: Buffer) => this.listener.body(piece);
    native[HTTPParser.kOnMessageComplete] = () => this.ended();
  }

  expect(): void {
    // One parser reads successive responses.
  }

  take(bytes: Buffer): void {
    const result = this.native.execute(bytes);
    const wrong = typeof result === 'object' ? result : this.wrong;
    if (wrong) this.listener.broken(wrong);
  }

  finish(done: (error?: Error) => void): void {
    done(this.native.finish());
  }

  close(): void {
    this.native.close();
  }

  private headed(head: AnswerHead): number {
    this.begun = [];
    if (head.status === SWITCHED) {
      this.wrong = new Error('The server switched to an unrequested protocol.');
      return NOT_HTTP;
    }
    if (head.status < 200) {
      this.listener.information(head);
      return NONE;
    }
    this.inBody = true;
    this.listener.head(head);
    return this.bodiless ? NONE : AS_FRAMED;
  }

  /** The parser treats an informational response as a separate message. */
  private ended(): void {
    if (!this.inBody) return;
    this.inBody = false;
    this.listener.end();
  }
}

/** Whether this Node has the parser with the expected behaviour. */
export const hasNativeParser = (): boolean => isFast('parser', readsAnAnswer);

function hidden(): { HTTPParser: NativeClass } {
  try {
    return createRequire(import.meta.url)('node:_http_common') as { HTTPParser: NativeClass };
  } catch {
    return { HTTPParser: undefined as unknown as NativeClass };
  }
}

function readsAnAnswer(): boolean {
  const read: string[] = [];
  const parser = new NativeParser({
    begin: () => read.push('begin'),
    information: () => {},
    head: ({ status, reason, lines, keeps }) => read.push(`${status} ${reason} ${lines.join(' ')} ${keeps}`),
    body: (piece) => read.push(String(piece)),
    end: () => read.push('end'),
    broken: () => read.push('broken'),
  });
  parser.take(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
  parser.close();
  return read.join() === 'begin,200 OK Content-Length 2 true,hi,end';
}
