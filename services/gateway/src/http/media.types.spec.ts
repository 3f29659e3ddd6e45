import { afterEach, expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler } from 'express';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readableBodies } from './media.types.ts';

const CHUNK = Buffer.alloc(64 * 1_024);
const CHUNKS = 64;

let server: Server | undefined;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterEach(() => {
  agent.destroy();
  server?.close();
});

it('takes the next request of a connection after it has refused a long body in chunks', async () => {
  const refuse: ErrorRequestHandler = (error: { status: number }, _request, response, _next) => {
    response.sendStatus(error.status);
  };
  server = express().use(readableBodies).use(refuse).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const to = (method: string, headers = {}) => request({ host: '127.0.0.1', port, method, agent, headers });

  const sent = to('POST', { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' });
  const answered = once(sent, 'response');
  sent.write(CHUNK);
  const [answer] = (await answered) as [IncomingMessage];
  expect([answer.statusCode, await text(answer)]).toEqual([415, 'Unsupported Media Type']);
  for (let chunk = 1; chunk < CHUNKS; chunk++) sent.write(CHUNK);
  await new Promise<void>((resolve) => sent.end(resolve));

  const next = to('GET').end();
  const [other] = (await once(next, 'response')) as [IncomingMessage];
  expect([other.statusCode, next.reusedSocket]).toEqual([404, true]);
});
