import { join } from '@warren/transport/join';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { socketPair } from '../system/socket-pair.ts';
import type { HubClock } from './clock.ts';
import { Attempt, type DialStep } from './attempt.ts';
import { Unreachable } from './plain.ts';
import { routeTo } from './route.ts';
import { DialRefused, readRefusal } from './refusal.ts';
import { whyUnreachable } from './unreachable.ts';

const PROTOCOL = 'warren-h2';
const DIAL_TIMEOUT_MS = 15_000;
const FRAME_MAX = 4 * 1024 * 1024;
/** How long a WebSocket may take to close after the link has ended, or the link after the WebSocket. */
const HALF_CLOSED_MS = 1_000;

/** A byte stream to the hub, ready for HTTP/2. */
export interface Carrier {
  kind: 'upgrade' | 'websocket';
  stream: Socket;
  /** The device's new id, when it has taken the place of its old entry. */
  device?: string | undefined;
  /** Bytes received from the hub so far. */
  bytesRead(): number;
}

export interface DialOptions {
  /** Origin of the hub, http or https. */
  hub: string;
  token: string;
  version: string;
  clock: HubClock;
  signal: AbortSignal;
  /** Pinned terminals are here: the hub checks the rights of their users. */
  hasPins?: boolean | undefined;
  /** Called when a step of the dial begins. */
  onStep?: ((step: DialStep) => void) | undefined;
  /** Certificate authorities instead of the system's (PEM). */
  ca?: string;
}

/**
 * Dials the hub: first by an Upgrade to `warren-h2`, then, if an intermediary refuses that, by a WebSocket.
 * @throws DialRefused when the hub responds with a status; Unreachable when it can't be reached
 */
export async function dial(options: DialOptions): Promise<Carrier> {
  try {
    return await dialUpgrade(options).catch((error: unknown) => {
      if (!(error instanceof DialRefused) || error.final) throw error;
      return dialWebSocket(options);
    });
  } catch (error) {
    throw error instanceof DialRefused ? error : await whyUnreachable(error, options.hub);
  }
}

function headersOf(options: DialOptions): Record<string, string> {
  const headers = { Authorization: `Bearer ${options.token}`, 'Warren-Agent-Version': options.version };
  return options.hasPins ? { ...headers, 'Warren-Pins': '1' } : headers;
}

async function dialUpgrade(options: DialOptions): Promise<Carrier> {
  const url = new URL('/agent/connect', options.hub);
  const route = routeTo(options.hub);
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    agent: route.agent,
    ca: options.ca,
    headers: { ...headersOf(options), Connection: 'Upgrade', Upgrade: PROTOCOL },
    signal: options.signal,
  });
  const late = setTimeout(() => request.destroy(new DOMException('No answer.', 'TimeoutError')), DIAL_TIMEOUT_MS);
  try {
    request.end();
    const attempt = new Attempt(options.onStep);
    attempt.follow(request);
    const answer = await answerOf(request, attempt);
    if (attempt.refusal !== undefined)
      throw new Unreachable(`proxy: ${route.proxy} answered ${attempt.refusal}`, 'proxy', []);
    if (!('socket' in answer)) throw await readRefusal(answer.response, options.clock);
    return carrierOf(answer, options.clock);
  } finally {
    clearTimeout(late);
  }
}

function carrierOf({ response, socket, head }: Upgraded, clock: HubClock): Carrier {
  clock.learn(response.headers.date);
  if (response.headers.upgrade?.toLowerCase() !== PROTOCOL) {
    socket.destroy();
    throw new DialRefused(101, `the hub switched to "${response.headers.upgrade}" instead of ${PROTOCOL}`);
  }
  // HTTP/2 bytes that arrived with the 101 belong to the link.
  if (head.length > 0) socket.unshift(head);
  prepare(socket);
  return { kind: 'upgrade', stream: socket, device: deviceIn(response), bytesRead: () => socket.bytesRead };
}

type Upgraded = { response: IncomingMessage; socket: Socket; head: Buffer };
type Answer = { response: IncomingMessage } | Upgraded;

function answerOf(request: ClientRequest, attempt: Attempt): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.once('upgrade', (response, socket, head) => resolve({ response, socket: socket as Socket, head }));
    request.once('response', (response) => resolve({ response }));
    // This listener stays: an abort after the response must not become an uncaught error.
    request.on('error', (error) => reject(Unreachable.of(error, attempt.step)));
  });
}

async function dialWebSocket(options: DialOptions): Promise<Carrier> {
  const url = new URL('/agent/connect', options.hub);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const attempt = new Attempt(options.onStep);
  const socket = new WebSocket(url, PROTOCOL, {
    headers: headersOf(options),
    perMessageDeflate: false,
    handshakeTimeout: DIAL_TIMEOUT_MS,
    maxPayload: FRAME_MAX,
    finishRequest: (request) => {
      attempt.follow(request);
      request.end();
    },
    agent: routeTo(options.hub).agent || undefined,
    ca: options.ca,
  });
  const abort = () => socket.terminate();
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    const { frames, raw, device } = await openWebSocket(socket, options.clock, attempt);
    // Node's HTTP/2 fails an assertion when it closes over a stream that is not a socket during a write.
    const [near, far] = await socketPair();
    void join(far, frames, HALF_CLOSED_MS);
    return { kind: 'websocket', stream: near, device, bytesRead: () => raw.bytesRead };
  } finally {
    options.signal.removeEventListener('abort', abort);
  }
}

function deviceIn({ headers }: IncomingMessage): string | undefined {
  const device = headers['warren-device'];
  return typeof device === 'string' && /^[\w-]{1,64}$/.test(device) ? device : undefined;
}

type Opened = { frames: Duplex; raw: Socket; device: string | undefined };

function openWebSocket(socket: WebSocket, clock: HubClock, attempt: Attempt): Promise<Opened> {
  return new Promise((resolve, reject) => {
    socket.once('upgrade', (response) => {
      clock.learn(response.headers.date);
      const raw = response.socket;
      // Created before the first message can arrive, which may share the handshake's packet.
      const frames = createWebSocketStream(socket);
      prepare(raw);
      socket.once('open', () => resolve({ frames, raw, device: deviceIn(response) }));
    });
    socket.once('unexpected-response', (request, response) => {
      void readRefusal(response, clock)
        .then(reject)
        .finally(() => request.destroy());
    });
    socket.on('error', (error) => reject(Unreachable.of(error, attempt.step)));
  });
}

function prepare(socket: Socket): void {
  // A keystroke is one small packet and must not wait for the next (Nagle).
  socket.setNoDelay(true);
  socket.setTimeout(0);
}
