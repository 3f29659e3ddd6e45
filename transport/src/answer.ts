/** What an answer says before its body. */
export interface AnswerHead {
  status: number;
  reason: string;
  /** Name, value, name, value, … */
  lines: string[];
  /** Whether the connection may be used again. */
  keeps: boolean;
}

/** Hears of an answer, in this order; of information as often as it comes. */
export interface AnswerListener {
  /** The first byte, also of information. */
  begin(): void;
  /** A 1xx, which is no answer yet. */
  information(head: AnswerHead): void;
  head(head: AnswerHead): void;
  /** Bytes of the body, in the memory that they were read into. */
  body(piece: Buffer): void;
  end(): void;
  /** What came is no HTTP/1.1. */
  broken(error: Error): void;
}

/** Reads the answers of one connection by the strict rules of `node:http`. Its listener may hear of what it took later. */
export interface AnswerParser {
  /** Whether the next answer is to a HEAD, which has no body whatever it says. */
  bodiless: boolean;
  /** Whether the connection can carry another exchange. */
  readonly reusable: boolean;
  /** An answer is expected. */
  expect(): void;
  take(bytes: Buffer): void;
  /** Nothing more will come. @param done called with the error of an answer that is not whole */
  finish(done: (error?: Error) => void): void;
  /** Not to be called from within its own callbacks. */
  close(): void;
}
