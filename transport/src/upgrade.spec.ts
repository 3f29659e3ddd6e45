import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { answerHead, askUpgrade } from './upgrade.ts';

const answer = (statusCode: number, rawHeaders: string[]) =>
  answerHead({ statusCode, statusMessage: 'Text', rawHeaders } as IncomingMessage);

describe('the head of a response', () => {
  it('is passed on completely for an upgrade', () => {
    expect(answer(101, ['Connection', 'Upgrade', 'Upgrade', 'warren-h2'])).toBe(
      'HTTP/1.1 101 Text\r\nConnection: Upgrade\r\nUpgrade: warren-h2\r\n\r\n',
    );
  });

  it('ends the connection otherwise', () => {
    expect(answer(401, ['Connection', 'keep-alive', 'Transfer-Encoding', 'chunked', 'Retry-After', '3'])).toBe(
      'HTTP/1.1 401 Text\r\nRetry-After: 3\r\nConnection: close\r\n\r\n',
    );
  });
});

describe('a requested upgrade', () => {
  it('fails after too many interim responses', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(10_000));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked = askUpgrade(
      { address, name: 'The program', path: '/', lines: ['Host', 'x'] },
      { socket: new Socket() },
    );
    await expect(asked).rejects.toThrow('The program sent too many interim answers.');
    server.close();
  });
});
