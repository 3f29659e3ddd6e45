/** The head of a response. */
export interface AnswerHead {
  status: number;
  reason: string;
  /** Name, value, name, value, … */
  lines: string[];
  /** Whether the connection may be used again. */
  keeps: boolean;
}

/** Events of a response, in this order; informational ones may repeat. */
export interface AnswerListener {
  /** The first byte, also of an informational response. */
  begin(): void;
  /** A 1xx response, which is not final. */
  information(head: AnswerHead): void;
  head(head: AnswerHead): void;
  /** Bytes of the body, in the buffer that they were read into. */
  body(piece: Buffer): void;
  end(): void;
  /** The bytes are not valid HTTP/1.1. */
  broken(error: Error): void;
}

/** Parses the responses of one connection by the strict rules of `node:http`. The listener may be called asynchronously. */
export interface AnswerParser {
  /** Whether the next response is to a HEAD request, which has no body whatever its head says. */
  bodiless: boolean;
  /** Whether the connection can carry another exchange. */
  readonly reusable: boolean;
  /** Expects a response. */
  expect(): void;
  take(bytes: Buffer): void;
  /** The input has ended. @param done called with an error if the response is incomplete */
  finish(done: (error?: Error) => void): void;
  /** Not to be called from within its own callbacks. */
  close(): void;
}
