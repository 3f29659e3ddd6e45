import type { AnswerListener, AnswerParser } from './answer.ts';
import { ClientParser } from './client.parser.ts';
import { hasNativeParser, NativeParser } from './fastpath/native.parser.ts';

/** Makes the parser of a connection. */
export function answerParser(listener: AnswerListener): AnswerParser {
  return hasNativeParser() ? new NativeParser(listener) : new ClientParser(listener);
}
