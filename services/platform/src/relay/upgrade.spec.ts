import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { answerHead } from './upgrade.ts';

const answer = (statusCode: number, rawHeaders: string[]) =>
  answerHead({ statusCode, statusMessage: 'Text', rawHeaders } as IncomingMessage);

describe('the head of an answer', () => {
  it('is passed whole when it is an upgrade', () => {
    expect(answer(101, ['Connection', 'Upgrade', 'Upgrade', 'warren-h2'])).toBe(
      'HTTP/1.1 101 Text\r\nConnection: Upgrade\r\nUpgrade: warren-h2\r\n\r\n',
    );
  });

  it('ends the connection when it is not', () => {
    expect(answer(401, ['Connection', 'keep-alive', 'Transfer-Encoding', 'chunked', 'Retry-After', '3'])).toBe(
      'HTTP/1.1 401 Text\r\nRetry-After: 3\r\nConnection: close\r\n\r\n',
    );
  });
});
