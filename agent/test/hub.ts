import { createClient, type Client, type Transport } from '@connectrpc/connect';
import { createConnectTransport, type Http2SessionManager } from '@connectrpc/connect-node';
import { AgentService } from '@warren/proto/agent/v1/agent';
import { join } from '@warren/transport/join';
import { createPublicKey, verify } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import http2, { type ClientHttp2Session } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { jwtVerify } from 'jose';
import { createWebSocketStream, WebSocketServer, type WebSocket } from 'ws';
import { socketPair } from '../src/system/socket-pair.ts';

const HALF_CLOSED_MS = 1_000;

/** One link as the hub sees it. */
export interface HubLink {
  kind: string;
  socket: Socket;
  session: ClientHttp2Session;
  client: Client<typeof AgentService>;
}

type Answer = { status: number; headers?: Record<string, string>; body?: unknown };

/** The hub's side of enrolment and links, over real sockets. */
export class TestHub {
  readonly links: HubLink[] = [];
  readonly dials: { at: number; upgrade: string; headers: IncomingHttpHeaders }[] = [];
  readonly enrolled: Record<string, unknown>[] = [];
  /** Proven changes of the key that were asked for. */
  rotations = 0;
  /** What becomes of them: `lost` is taken, and the answer to it is cut off; `cut` is not even taken. */
  rotating: 'taken' | 'lost' | 'cut' = 'taken';
  /** What a machine said to enrol as a separate device. */
  separated: Record<string, unknown> | undefined;
  /** `lost`: the first answer to that is cut off. */
  separating: 'taken' | 'lost' = 'taken';
  /** Answers dials instead of switching; undefined lets them in. */
  refuse: ((upgrade: string) => Answer | undefined) | undefined;
  /** What becomes of dials whose key is the device's; undefined lets them in. */
  decide: (() => Answer | undefined) | undefined;
  /** Cuts each dial off before an answer. */
  hangUp = false;
  /** Sends nonsense after the 101 of each dial, in place of HTTP/2. */
  garble = false;
  /** The device's new id, sent with the 101; afterwards the hub accepts both ids. */
  becomes: string | undefined;
  token = 'good-token';
  /** What the Date header says. */
  clock = () => new Date();
  /** What is answered to a GET of a path. */
  readonly files = new Map<string, Buffer>();
  /** Answers a request in place of all else, when it says true. */
  serve: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  url = '';
  private server: Server;
  private sockets = new Set<Duplex>();
  private ws = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  private waiting: (() => void)[] = [];
  private publicKey: Buffer | undefined;

  /** @param enrolledBy a hub whose device this one knows too */
  constructor(tls?: { key: string; cert: string }, enrolledBy?: TestHub) {
    if (enrolledBy) this.publicKey = enrolledBy.publicKey;
    this.server = tls ? createTlsServer(tls) : createServer();
    this.server.on('request', (request, response) => {
      if (this.serve?.(request, response)) return;
      this.answer(request).then(
        (answer) => {
          if (!answer) return void request.socket.destroy();
          const { status, headers, body } = answer;
          const whole = Buffer.isBuffer(body) ? body : JSON.stringify(body ?? {});
          response
            .writeHead(status, { date: this.clock().toUTCString(), 'content-type': 'application/json', ...headers })
            .end(whole);
        },
        // The agent may end in the middle of it.
        () => void request.socket.destroy(),
      );
    });
    this.server.on('upgrade', (request, socket, head) => void this.upgrade(request, socket as Socket, head));
    this.ws.on('headers', (lines) => this.becomes && lines.push(this.now().trim()));
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('error', () => {});
    });
  }

  async start(port = 0): Promise<this> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    const scheme = 'setSecureContext' in this.server ? 'https' : 'http';
    this.url = `${scheme}://localhost:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Cuts every connection and stops listening. */
  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    for (const link of this.links) link.session.destroy();
    this.ws.close();
    if (this.server.listening) await once(this.server, 'close');
  }

  /** Settles when there have been `count` links since the start. */
  async linked(count: number): Promise<HubLink> {
    while (this.links.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.links[count - 1]!;
  }

  async dialled(count: number): Promise<void> {
    while (this.dials.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private changed(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  private async answer(request: IncomingMessage): Promise<Answer | undefined> {
    const file = this.files.get(request.url ?? '');
    if (file) return { status: 200, body: file };
    const { url = '' } = request;
    if (!url.startsWith('/agent/') || request.method !== 'POST')
      return { status: 426, body: { message: 'upgrade: required' } };
    let text = '';
    for await (const piece of request) text += String(piece);
    const body = JSON.parse(text) as Record<string, string>;
    if (url === '/agent/separate') return this.separate(body);
    return url === '/agent/enrol' ? this.enrol(body) : this.rotate(body);
  }

  private separate(body: Record<string, string>): Answer | undefined {
    const { new_key: next = '' } = body;
    const said = `warren-separate:${body['device_id']}:${next}`;
    const proven =
      isSigned(said, this.publicKey?.toString('base64url') ?? '', body['old_proof']) &&
      isSigned(said, next, body['new_proof']);
    if (!proven || (this.separated && this.separated['new_key'] !== next))
      return { status: 401, body: { message: 'Proof: expected signatures.' } };
    const first = !this.separated;
    this.separated = body;
    if (first && this.separating === 'lost') return undefined;
    this.publicKey = Buffer.from(next, 'base64url');
    this.becomes = 'device-2';
    return { status: 201, body: { device_id: 'device-2', account_name: 'Acme', audience: 'hub-test' } };
  }

  private enrol(body: Record<string, string>): Answer {
    const x = body['public_key']!;
    if (body['token'] !== this.token || !isSigned(`warren-enrol:${body['token']}`, x, body['proof'])) {
      return {
        status: 401,
        body: { statusCode: 401, code: 'unauthenticated', message: 'enrol: the token is not valid' },
      };
    }
    this.publicKey = Buffer.from(x, 'base64url');
    this.enrolled.push(body);
    return { status: 201, body: { device_id: 'device-1', account_name: 'Acme', audience: 'hub-test' } };
  }

  private rotate(body: Record<string, string>): Answer | undefined {
    const { old_key: old = '', new_key: next = '' } = body;
    const signed = `warren-rotate:${body['device_id']}:${old}:${next}`;
    const known = this.publicKey?.toString('base64url');
    const proven = isSigned(signed, old, body['old_proof']) && isSigned(signed, next, body['new_proof']);
    if (!proven || ![old, next].includes(known ?? '')) {
      return { status: 401, body: { message: 'Key: the device has another key now.' } };
    }
    if (this.rotating === 'cut') return undefined;
    this.rotations++;
    this.publicKey = Buffer.from(next, 'base64url');
    return this.rotating === 'lost' ? undefined : { status: 200, body: {} };
  }

  private async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const upgrade = request.headers.upgrade ?? '';
    this.dials.push({ at: Date.now(), upgrade, headers: request.headers });
    this.changed();
    if (this.hangUp) return void socket.destroy();
    const refusal = this.refuse?.(upgrade) ?? (await this.authenticate(request)) ?? this.decide?.();
    if (refusal) {
      const headers = Object.entries({ connection: 'close', ...refusal.headers }).map(([k, v]) => `${k}: ${v}\r\n`);
      const body = JSON.stringify(refusal.body ?? {});
      socket.end(`HTTP/1.1 ${refusal.status} No\r\n${headers.join('')}content-length: ${body.length}\r\n\r\n${body}`);
    } else if (upgrade === 'websocket') {
      this.ws.handleUpgrade(request, socket, head, (ws) => void this.bridge(ws, socket));
    } else {
      socket.setNoDelay(true);
      // HTTP/2 of Node aborts the process when it takes over a TLS socket whose last write is not done.
      await new Promise((done) =>
        socket.write(`HTTP/1.1 101 Yes\r\nConnection: Upgrade\r\nUpgrade: warren-h2\r\n${this.now()}\r\n`, done),
      );
      if (this.garble) return void socket.write('no HTTP/2 '.repeat(10));
      if (head.length > 0) socket.unshift(head);
      this.link('upgrade', socket, socket);
    }
  }

  private now(): string {
    return this.becomes ? `Warren-Device: ${this.becomes}\r\n` : '';
  }

  private async bridge(ws: WebSocket, socket: Socket): Promise<void> {
    const frames = createWebSocketStream(ws);
    const [near, far] = await socketPair();
    void join(far, frames, HALF_CLOSED_MS);
    this.link('websocket', near, socket);
  }

  private async authenticate(request: IncomingMessage): Promise<Answer | undefined> {
    const jwt = request.headers.authorization?.replace('Bearer ', '') ?? '';
    try {
      if (!this.publicKey) throw new Error('no device is enrolled');
      const x = this.publicKey.toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      const known = { audience: 'hub-test', algorithms: ['EdDSA'], maxTokenAge: 60 };
      const { payload } = await jwtVerify(jwt, key, known);
      if (!['device-1', this.becomes].includes(payload.sub)) throw new Error(`not device ${payload.sub}`);
      return undefined;
    } catch (error) {
      const headers = { date: new Date().toUTCString() };
      const message = `connect: ${(error as Error).message}`;
      return { status: 401, headers, body: { code: 'unauthenticated', message } };
    }
  }

  private link(kind: string, stream: Duplex, socket: Socket): void {
    stream.on('error', () => {});
    const session = http2.connect('http://device', {
      createConnection: () => stream,
      settings: { initialWindowSize: 1024 * 1024 },
    });
    session.on('error', () => {});
    this.links.push({ kind, socket, session, client: createClient(AgentService, transportOver(session)) });
    this.changed();
  }
}

function isSigned(text: string, x: string, signature = ''): boolean {
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}

/** A Connect transport whose requests all go down one session that exists already. */
function transportOver(session: ClientHttp2Session): Transport {
  const sessionManager: Pick<Http2SessionManager, 'authority' | 'request' | 'notifyResponseByteRead'> = {
    authority: 'http://device',
    request: async (method, path, headers, options) =>
      session.request({ ...headers, ':method': method, ':path': path }, options),
    notifyResponseByteRead: () => {},
  };
  return createConnectTransport({ baseUrl: 'http://device', httpVersion: '2', sessionManager });
}
