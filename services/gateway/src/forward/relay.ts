import { Fault } from '@warren/platform/errors/fault';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { answerHead } from './request.head.ts';

const CONNECT_MS = 3_000;
/** A replica may let a dialling agent wait for its turn. */
const ANSWER_MS = 20_000;
const HALF_CLOSED_MS = 5_000;
const RETRY_S = 1;

/** An HTTP upgrade request as Node hands it over: the socket is ours from now on. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** What a replica answered: with a socket if it upgraded. */
export type Answer = { message: IncomingMessage } & ({ upstream: Socket; head: Buffer } | { upstream?: undefined });

/**
 * Asks a replica for the upgrade.
 * @param headers name, value, name, value, …
 * @throws Fault `unavailable` when it can't be reached in 3 s or does not answer
 */
export function askReplica(address: string, { request, socket }: Upgrade, headers: string[]): Promise<Answer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    // One connection for each request and no reuse: what follows on it is not HTTP.
    const options = { hostname, port, path: request.url, method: 'GET', headers, agent: false } as const;
    const asked = httpRequest(options);
    const fail = (why: string) => {
      asked.destroy();
      reject(new Fault('unavailable', `The device's replica ${why}.`, { retryAfter: RETRY_S }));
    };
    let timer = setTimeout(() => fail('cannot be reached'), CONNECT_MS);
    const hungUp = () => fail('was not waited for');
    const settle = (answer: Answer) => {
      clearTimeout(timer);
      socket.off('close', hungUp);
      resolve(answer);
    };
    socket.once('close', hungUp);
    asked.on('socket', (upstream) =>
      upstream.once('connect', () => {
        upstream.setNoDelay(true);
        clearTimeout(timer);
        timer = setTimeout(() => fail('did not answer'), ANSWER_MS);
      }),
    );
    asked.on('upgrade', (message, upstream, head) => settle({ message, upstream: upstream as Socket, head }));
    asked.on('response', (message) => settle({ message }));
    asked.on('error', () => {
      clearTimeout(timer);
      socket.off('close', hungUp);
      fail('cannot be reached');
    });
    asked.end();
  });
}

/** Passes an answer on that is no upgrade, and closes the connection after it. */
export async function passAnswer(message: IncomingMessage, socket: Duplex): Promise<void> {
  socket.write(answerHead(message));
  await pipeline(message, socket).catch(() => {});
  socket.destroy();
  message.destroy();
}

/** Passes the 101 on, then all bytes both ways with backpressure, until either side has ended. Never rejects. */
export async function splice({ socket, head }: Upgrade, answer: Answer & { upstream: Socket }): Promise<void> {
  const { message, upstream } = answer;
  upstream.on('error', () => {});
  socket.write(answerHead(message));
  if (answer.head.length > 0) socket.write(answer.head);
  if (head.length > 0) upstream.write(head);
  const ways = [pipeline(socket, upstream), pipeline(upstream, socket)].map((way) => way.catch(() => {}));
  await Promise.race(ways);
  await Promise.race([Promise.all(ways), wait(HALF_CLOSED_MS, undefined, { ref: false })]);
  socket.destroy();
  upstream.destroy();
}
