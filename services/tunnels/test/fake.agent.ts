import { jest } from '@jest/globals';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import {
  AgentService,
  type EndTerminalsRequest,
  type ListTerminalsRequest,
  type MetricsBatchSchema,
  type RebootRequest,
  type TakeMetricsRequest,
  type TerminalInput,
  type TerminalRefusal,
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

/** One side of a terminal, held by the test. */
export interface ScriptedTerminal {
  session: string;
  inputs: TerminalInput[];
  /** Input bytes so far, as text. */
  typed(): string;
  acked(): number;
  sizes(): string[];
  /** Sends output; resolves when the stream has taken it. */
  print(bytes: Uint8Array | string): Promise<void>;
  exit(code: number, signal?: string): void;
  /** Sends the screen at an offset. */
  snapshot(offset: number, text: string): Promise<void>;
  /** Tells what has been taken of what was typed. */
  accept(typed: number): void;
  refuse(reason: string, code: TerminalRefusal): void;
  /** True once the hub has closed the stream. */
  left: boolean;
  offset: number;
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
  /** Answers a CONNECT. */
  onConnect?: (authority: string, stream: ServerHttp2Stream) => void;
  /** Called when the hub asks for a reboot. */
  onReboot?: (userEmail: string) => void;
  /** Gives samples of usage; without it the agent is one of before that call. */
  onMetrics?: (request: TakeMetricsRequest) => MessageInitShape<typeof MetricsBatchSchema>;
  /** Answers the calls for the journal; without it the agent is one of before those calls. */
  logs?: Partial<Pick<ServiceImpl<typeof AgentService>, 'watchLogs' | 'readLogs' | 'listLogUnits'>>;
}

/** A device's end of a link: HTTP/2 server on a connection that it dialled. */
export class FakeAgent {
  readonly terminals: ScriptedTerminal[] = [];
  /** The lists and ends of terminals that the hub has asked for. */
  readonly asked: (ListTerminalsRequest | EndTerminalsRequest)[] = [];
  /** What it says of its terminals. */
  listed: object[] = [];
  facts: { hostname: string }[] = [{ hostname: 'test-device' }];
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
    const headers = { Authorization: `Bearer ${token}`, 'Warren-Agent-Version': '0.1.0', ...options.headers };
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
    router.service(AgentService, {
      terminal: (inputs, context) => this.terminal(inputs, context),
      ...(this.options.shares && {
        follow: (inputs, context) => this.terminal(inputs as AsyncIterable<TerminalInput>, context),
      }),
      listTerminals: (request) => {
        this.asked.push(request);
        return { terminals: this.listed };
      },
      endTerminals: (request) => {
        this.asked.push(request);
        return { ended: this.listed.length };
      },
      watchFacts: (_request, context) => this.watchFacts(context),
      ...this.takeMetrics(),
      ...this.options.logs,
      ...(this.options.onRotate ? { rotateKey: () => this.rotate() } : {}),
      ...(this.options.onReboot ? { reboot: ({ userEmail }: RebootRequest) => this.reboot(userEmail) } : {}),
    });
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

  private async *terminal(inputs: AsyncIterable<TerminalInput>, context: HandlerContext) {
    const outputs: { kind: object; taken: () => void }[] = [];
    let wake = () => {};
    let ended = false;
    const emit = (kind: object) =>
      new Promise<void>((taken) => {
        outputs.push({ kind, taken });
        wake();
      });
    const received: TerminalInput[] = [];
    const decoder = new TextDecoder();
    const terminal: ScriptedTerminal = {
      session: randomUUID(),
      inputs: received,
      left: false,
      offset: 0,
      typed: () =>
        decoder.decode(
          Buffer.concat(received.map(({ kind }) => (kind.case === 'data' ? kind.value : Buffer.alloc(0)))),
        ),
      acked: () => Number(received.findLast(({ kind }) => kind.case === 'ack')?.kind.value ?? 0n),
      sizes: () =>
        received.flatMap(({ kind }) => (kind.case === 'resize' ? [`${kind.value.cols}x${kind.value.rows}`] : [])),
      print: (text) => {
        const data = typeof text === 'string' ? Buffer.from(text) : text;
        const offset = BigInt(terminal.offset);
        terminal.offset += data.length;
        return emit({ case: 'data', value: { offset, data } });
      },
      exit: (code, signal = '') => {
        void emit({ case: 'exit', value: { code, signal } });
        ended = true;
      },
      snapshot: (offset, text) => {
        terminal.offset = offset;
        const size = { cols: 80, rows: 24 };
        return emit({ case: 'snapshot', value: { offset: BigInt(offset), data: Buffer.from(text), size } });
      },
      accept: (typed) => void emit({ case: 'accepted', value: { typed: BigInt(typed) } }),
      refuse: (reason, code) => {
        void emit({ case: 'refused', value: { reason, code } });
        ended = true;
      },
    };
    this.terminals.push(terminal);
    const reading = (async () => {
      for await (const input of inputs) {
        received.push(input);
        if (input.kind.case === 'open') {
          if (input.kind.value.session !== '') terminal.session = input.kind.value.session;
          terminal.offset = Number(input.kind.value.offset);
          this.options.onTerminal?.(terminal);
          const joined = this.options.shares === true && input.kind.value.join !== false;
          const shared = joined ? { joined, size: { cols: 80, rows: 24 } } : {};
          const offset = BigInt(terminal.offset);
          void emit({ case: 'opened', value: { session: terminal.session, offset, ...shared } });
        }
        if (input.kind.case === 'close') terminal.exit(0, 'SIGHUP');
      }
    })().catch(() => {});
    const aborted = new Promise<void>((resolve) =>
      context.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    try {
      while (!context.signal.aborted) {
        const next = outputs.shift();
        if (next) {
          yield { kind: next.kind } as never;
          next.taken();
        } else if (ended) return;
        else await Promise.race([aborted, new Promise<void>((resolve) => (wake = resolve))]);
      }
    } finally {
      terminal.left = true;
      void reading;
    }
  }
}
