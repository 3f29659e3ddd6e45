import type { AnswerHead } from './answer.ts';

/** Interim responses to one request: a server that works for an hour may send a 102 each minute (RFC 2518, 10.1). */
const MOST = 64;
/** Characters of their headers. */
const MOST_CHARACTERS = 64 * 1024;

/** Limits the interim (1xx) responses of one exchange, of which HTTP allows any number (RFC 9110, 15.2). */
export class Interim {
  readonly problem = `The server sent more than ${MOST} interim answers, or ${MOST_CHARACTERS} characters of them.`;
  private count = 0;
  private characters = 0;

  /** @returns false for one too many */
  admit({ lines }: Pick<AnswerHead, 'lines'>): boolean {
    this.count++;
    for (const line of lines) this.characters += line.length;
    return this.count <= MOST && this.characters <= MOST_CHARACTERS;
  }
}
