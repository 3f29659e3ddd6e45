import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { passOn, type HeaderLines } from './header.lines.ts';
import { Interim } from './interim.ts';
import { join } from './join.ts';
import { pump, type Carried } from './pump.ts';

const CONNECT_MS = 3_000;
/** A replica may queue a dialling agent. */
const ANSWER_MS = 20_000;
const HALF_CLOSED_MS = 5_000;
/** A connection for each request, without reuse: after the upgrade it is not HTTP any more. */
const oneEach = new Agent({ keepAlive: false });

/** An HTTP upgrade request as Node passes it on: the socket is ours from now on. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** The other side's response: with a socket if it upgraded. */
export type Answer = { message: IncomingMessage } & ({ upstream: Duplex; head: Buffer } | { upstream?: undefined });

/** The target of an upgrade. */
export interface UpgradeTarget {
  /** The target of a plain connection, `http://host:port`. */
  address: string;
  /** Makes the connection in place of a plain one; it must not pool them. */
  agent?: Agent;
  /** The target's name in messages: `The device's replica`. */
  name: string;
  path: string | undefined;
  /** The whole head of the request. */
  lines: HeaderLines;
}

/** The upgrade got no response: the other side was unreachable, slow or broke off, or the client hung up. */
export class UpgradeFailed extends Error {
  constructor(
    message: string,
    readonly kind: 'broken' | 'slow' | 'abandoned',
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/**
 * Requests the upgrade.
 * @throws UpgradeFailed when the target is unreachable for 3 s or does not answer within 20 s
 */
export function askUpgrade(target: UpgradeTarget, { socket }: Pick<Upgrade, 'socket'>): Promise<Answer> {
  const { hostname, port } = new URL(target.address);
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path: target.path, method: 'GET', headers: [...target.lines] };
    const asked = httpRequest({ ...options, agent: target.agent ?? oneEach });
    const fail = (why: string, kind: UpgradeFailed['kind'], cause?: unknown) => {
      clearTimeout(timer);
      socket.off('close', hungUp);
      asked.destroy();
      reject(new UpgradeFailed(`${target.name} ${why}.`, kind, cause));
    };
    let timer = setTimeout(() => fail('cannot be reached', 'slow'), CONNECT_MS);
    const hungUp = () => fail('was not waited for', 'abandoned');
    const settle = (answer: Answer) => {
      clearTimeout(timer);
      socket.off('close', hungUp);
      resolve(answer);
    };
    const connected = () => {
      clearTimeout(timer);
      timer = setTimeout(() => fail('did not answer', 'slow'), ANSWER_MS);
    };
    socket.once('close', hungUp);
    asked.on('socket', (upstream) => {
      if (!upstream.connecting) return connected();
      upstream.once('connect', () => connected());
    });
    const interim = new Interim();
    asked.on('information', ({ rawHeaders: lines }) => {
      if (!interim.admit({ lines })) fail('sent too many interim answers', 'broken', new Error(interim.problem));
    });
    asked.on('upgrade', (message, upstream, head) => settle({ message, upstream, head }));
    asked.on('response', (message) => settle({ message }));
    asked.on('error', (cause) => fail('cannot be reached', 'broken', cause));
    asked.end();
  });
}

/** Passes on a response other than 101, and closes the connection after it. */
export async function passAnswer(message: IncomingMessage, socket: Duplex, lines?: HeaderLines): Promise<void> {
  socket.write(answerHead(message, lines));
  await pipeline(message, socket).catch(() => {});
  socket.destroy();
  message.destroy();
}

/**
 * Passes on the 101, then copies all bytes both ways with backpressure until either side has ended. Never rejects.
 * @param lines the headers of the 101, if they differ from the received ones
 * @returns about how many bytes went each way
 */
export async function splice(
  { socket, head }: Upgrade,
  answer: Answer & { upstream: Duplex },
  lines?: HeaderLines,
): Promise<Carried> {
  const { message, upstream } = answer;
  upstream.on('error', () => {});
  socket.write(answerHead(message, lines));
  if (answer.head.length > 0) socket.write(answer.head);
  if (head.length > 0) upstream.write(head);
  return pump(socket, upstream, HALF_CLOSED_MS) ?? join(socket, upstream, HALF_CLOSED_MS);
}

/**
 * Formats a response's head for the client. Anything but a 101 ends the connection, so no second request can follow.
 * @param lines the headers to send, if they differ from the received ones
 */
export function answerHead(answer: IncomingMessage, lines: HeaderLines = answer.rawHeaders): string {
  const upgraded = answer.statusCode === 101;
  const kept = upgraded ? lines : [...passOn(lines), 'Connection', 'close'];
  const text = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ''}`];
  for (let index = 0; index + 1 < kept.length; index += 2) text.push(`${kept[index]}: ${kept[index + 1]}`);
  return `${text.join('\r\n')}\r\n\r\n`;
}
