import { createRequire } from 'node:module';

/** What an answer says before its body. */
export interface AnswerHead {
  status: number;
  reason: string;
  /** Name, value, name, value, … */
  lines: string[];
  /** Whether the connection may be used again. */
  keeps: boolean;
}

/** What is heard of an answer, in this order; information as often as it comes. */
export interface AnswerListener {
  /** The first byte, also of information. */
  begin(): void;
  /** A 1xx, which is no answer yet. */
  information(head: AnswerHead): void;
  head(head: AnswerHead): void;
  /** Bytes of the body, in the memory that they were read into. */
  body(piece: Buffer): void;
  end(): void;
}

type HeadersComplete = (
  ...told: [
    ...version: [major: number, minor: number],
    lines: string[] | undefined,
    ...request: [method: unknown, url: unknown],
    ...answer: [status: number, reason: string, upgrade: boolean, keeps: boolean],
  ]
) => number;

/** Node's own parser, llhttp, as far as it is used here. */
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

const { HTTPParser } = createRequire(import.meta.url)('node:_http_common') as { HTTPParser: NativeClass };

/** What the parser is told of a body (llhttp, `on_headers_complete`). */
const AS_FRAMED = 0;
const NONE = 1;
const NOT_HTTP = 2;
const SWITCHED = 101;

/** Reads the answers of one connection, by the strict rules that `node:http` reads by, one after another. */
export class AnswerParser {
  /** Whether the next answer is to a HEAD, which has no body whatever it says. */
  bodiless = false;
  private readonly native = new HTTPParser();
  /** Lines of a head that is too long to come in one piece. */
  private begun: string[] = [];
  private inBody = false;
  private wrong: Error | undefined;

  constructor(private readonly listener: AnswerListener) {
    const { native } = this;
    native.initialize(HTTPParser.RESPONSE, {});
    native[HTTPParser.kOnMessageBegin] = () => this.listener.begin();
    native[HTTPParser.kOnHeaders] = (lines: string[]) => {
      // Behind the body they are trailers.
      if (!this.inBody) this.begun.push(...lines);
    };
    const complete: HeadersComplete = (_major, _minor, lines, _method, _url, status, reason, _upgrade, keeps) =>
      this.headed({ status, reason, lines: lines ?? this.begun, keeps });
    native[HTTPParser.kOnHeadersComplete] = complete;
    native[HTTPParser.kOnBody] = (piece: Buffer) => this.listener.body(piece);
    native[HTTPParser.kOnMessageComplete] = () => this.ended();
  }

  /** @returns what is wrong with what was sent */
  take(bytes: Buffer): Error | undefined {
    const result = this.native.execute(bytes);
    return typeof result === 'object' ? result : this.wrong;
  }

  /** Nothing more will come. @returns the error of an answer that is not whole */
  finish(): Error | undefined {
    return this.native.finish();
  }

  /** Not from within one of its own calls. */
  close(): void {
    this.native.close();
  }

  private headed(head: AnswerHead): number {
    this.begun = [];
    if (head.status === SWITCHED) {
      this.wrong = new Error('The server switched to a protocol that nobody asked for.');
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

  /** An information is a message of its own to the parser. */
  private ended(): void {
    if (!this.inBody) return;
    this.inBody = false;
    this.listener.end();
  }
}
