import { jest } from '@jest/globals';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import {
  AgentService,
  type ChangeTerminalRequest,
  type EndTerminalsRequest,
  type ListTerminalsRequest,
  type MetricsBatchSchema,
  type RebootRequest,
  type TakeMetricsRequest,
  type TerminalInput,
} from '@warren/proto/agent/v1/agent';
import { SignJWT } from 'jose';
import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import http2, { type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { createWebSocketStream, WebSocket } from 'ws';
import { dialRaw } from './raw.dial.ts';
import { serveScripted, type ScriptedTerminal } from './scripted.terminal.ts';

export { DialRefused, dialRaw } from './raw.dial.ts';

/** As the agent: Node's own bounds are against strangers. */
const LIMITS = { settings: { initialWindowSize: 1 << 20 }, maxSessionMemory: 1_000_000_000, streamResetBurst: 100_000 };

/** An enrolled device as a test has it. */
export interface TestDevice {
  id: string;
  accountId: string;
  publicKey: Uint8Array;
  privateKey: KeyObject;
  /** What it is now, when it took the place of its old entry. */
  currentId?: string;
}

export function newDevice(): TestDevice {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { id: uuidv7(), accountId: uuidv7(), publicKey: new Uint8Array(raw), privateKey };
}

export interface TokenOptions {
  audience?: string;
  jti?: string;
  issued?: number;
  life?: number;
  key?: KeyObject;
  /** Of the agent's process. */
  instance?: string | undefined;
  /** What else the token says. */
  claims?: object | undefined;
}

export const HUB = 'http://localhost:8080';

export function dialToken(device: TestDevice, options: TokenOptions = {}): Promise<string> {
  const issued = options.issued ?? Math.floor(Date.now() / 1000);
  return new SignJWT({ ...(options.instance ? { instance: options.instance } : {}), ...options.claims })
    .setProtectedHeader({ alg: 'EdDSA', kid: device.id })
    .setSubject(device.id)
    .setAudience(options.audience ?? HUB)
    .setIssuedAt(issued)
    .setExpirationTime(issued + (options.life ?? 60))
    .setJti(options.jti ?? randomUUID())
    .sign(options.key ?? device.privateKey);
}

export interface FakeAgentOptions {
  carrier?: 'warren-h2' | 'websocket';
  /** Of the agent's process; none if not given, as with agents of before. */
  instance?: string | undefined;
  /** Of the hardware, and its model; none if not given. */
  machine?: { serial: string; model?: string };
  /** Called when the hub asks for another key. */
  onRotate?: () => void;
  /** Called with each terminal that is opened, before it answers. */
  onTerminal?: (terminal: ScriptedTerminal) => void;
  headers?: Record<string, string>;
  /** Lets several browsers share a terminal; without it the agent is one of before that. */
  shares?: boolean;
  /** Whether its terminals can be recorded. */
  records?: boolean;
  /** Who has pinned terminals, and the answer to a change; without it the agent is one of before names and pins. */
  pins?: {
    owners: { userId: string; userEmail: string }[];
    change?: (request: ChangeTerminalRequest) => object;
  };
  /** Answers a CONNECT. */
  onConnect?: (authority: string, stream: ServerHttp2Stream) => void;
  /** Called when the hub asks for a reboot. */
  onReboot?: (userEmail: string) => void;
  /** Gives samples of usage; without it the agent is one of before that call. */
  onMetrics?: (request: TakeMetricsRequest) => MessageInitShape<typeof MetricsBatchSchema>;
  /** Answers the calls for the journal; without it the agent is one of before those calls. */
  logs?: Partial<Pick<ServiceImpl<typeof AgentService>, 'watchLogs' | 'readLogs' | 'listLogUnits'>>;
}

const CAPACITY = { terminals: 32, pinned: 8, pinS: 30 * 86_400, memory: 1n << 27n };

/** A device's end of a link: HTTP/2 server on a connection that it dialled. */
export class FakeAgent {
  readonly terminals: ScriptedTerminal[] = [];
  /** The lists, changes and ends of terminals that the hub has asked for. */
  readonly asked: (ChangeTerminalRequest | ListTerminalsRequest | EndTerminalsRequest)[] = [];
  /** What it says of its terminals. */
  listed: object[] = [];
  /** Its clock is an hour behind. */
  facts: { hostname: string; time?: bigint }[] = [{ hostname: 'test-device', time: BigInt(Date.now() - 3_600_000) }];
  goneAway = false;
  private readonly server: http2.Http2Server;

  private constructor(
    readonly socket: Duplex,
    private readonly raw: Duplex,
    private readonly options: FakeAgentOptions,
    /** Headers of the 101. */
    readonly upgradeHeaders: IncomingMessage['headers'],
  ) {
    // Connect's adapter prints each call whose stream went away under it; streams that go away are what is tested here.
    jest.spyOn(console, 'error').mockImplementation(() => {});
    this.server = http2.createServer(LIMITS, connectNodeAdapter({ routes: (router) => this.routes(router) }));
    const { onConnect } = options;
    if (onConnect) this.server.on('connect', (request, response) => onConnect(request.authority, response.stream));
    this.server.on('session', (session) => {
      session.on('error', () => {});
      session.on('goaway', () => (this.goneAway = true));
    });
    socket.on('error', () => {});
    this.server.emit('connection', socket);
  }

  static async dial(url: string, token: string, options: FakeAgentOptions = {}): Promise<FakeAgent> {
    const pins = options.pins && { 'Warren-Pins': '1' };
    const headers = { Authorization: `Bearer ${token}`, 'Warren-Agent-Version': '0.1.0', ...pins, ...options.headers };
    if (options.carrier === 'websocket') {
      const webSocket = new WebSocket(`${url.replace('http', 'ws')}/agent/connect`, 'warren-h2', {
        headers,
        perMessageDeflate: false,
      });
      // Made at once: frames that come along with the 101 would be lost otherwise.
      const stream = createWebSocketStream(webSocket);
      const [response] = (await once(webSocket, 'upgrade')) as [IncomingMessage];
      return new FakeAgent(stream, response.socket, options, response.headers);
    }
    const { socket, head, headers: upgradeHeaders } = await dialRaw(url, headers);
    if (head.length > 0) socket.unshift(head);
    return new FakeAgent(socket, socket, options, upgradeHeaders);
  }

  get alive(): boolean {
    return !this.raw.destroyed;
  }

  last(): ScriptedTerminal {
    const terminal = this.terminals.at(-1);
    if (!terminal) throw new Error('No terminal was opened.');
    return terminal;
  }

  /** Simulates a power cut: no goodbye. */
  kill(): void {
    this.raw.destroy();
  }

  /** Hangs: reads nothing any more, so no PING is answered. Only in WebSocket frames, where HTTP/2 does not own the socket. */
  hang(): void {
    this.raw.pause();
  }

  close(): void {
    this.raw.destroy();
  }

  private routes(router: ConnectRouter): void {
    const { onTerminal: opened, shares, records } = this.options;
    const scripting = { begun: (one: ScriptedTerminal) => void this.terminals.push(one), opened, shares, records };
    router.service(AgentService, {
      terminal: (inputs, context) => serveScripted(inputs, context, scripting),
      ...(shares && {
        follow: (inputs, context) => serveScripted(inputs as AsyncIterable<TerminalInput>, context, scripting),
      }),
      listTerminals: (request) => {
        this.asked.push(request);
        return { terminals: this.listed, ...(this.options.pins && { capacity: CAPACITY }) };
      },
      endTerminals: (request) => {
        this.asked.push(request);
        return { ended: this.listed.length };
      },
      watchFacts: (_request, context) => this.watchFacts(context),
      ...this.pins(),
      ...this.takeMetrics(),
      ...this.options.logs,
      ...(this.options.onRotate ? { rotateKey: () => this.rotate() } : {}),
      ...(this.options.onReboot ? { reboot: ({ userEmail }: RebootRequest) => this.reboot(userEmail) } : {}),
    });
  }

  private pins() {
    const { pins } = this.options;
    if (!pins) return {};
    return {
      listPinOwners: () => ({ owners: pins.owners }),
      changeTerminal: (request: ChangeTerminalRequest) => {
        this.asked.push(request);
        return { terminal: { session: request.session, ...pins.change?.(request) } };
      },
    };
  }

  private takeMetrics() {
    const { onMetrics } = this.options;
    if (!onMetrics) return {};
    return {
      takeMetrics: async function* (request: TakeMetricsRequest) {
        yield onMetrics(request);
      },
    };
  }

  private rotate(): object {
    this.options.onRotate?.();
    return {};
  }

  private reboot(userEmail: string): object {
    this.options.onReboot?.(userEmail);
    return {};
  }

  private async *watchFacts(context: HandlerContext) {
    for (const facts of this.facts) yield facts;
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
  }
}
