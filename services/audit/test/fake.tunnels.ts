import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { freePort } from '@warren/infra/ports';
import { RECORDINGS, replicaKey } from '@warren/platform/broker/keys';
import { commonConfig } from '@warren/platform/config/common';
import { RecordingChannel } from '@warren/platform/recordings/channel';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import { Recording, TerminalRefusal } from '@warren/proto/agent/v1/agent';
import { RecordingInputSchema, RecordingOutputSchema, type RecordingInput } from '@warren/proto/tunnels/v1/recordings';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { Redis } from 'ioredis';
import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';

const WINDOW = 512 * 1024;
const PIECE = 64 * 1024;

type Channel = RecordingChannel<typeof RecordingInputSchema, typeof RecordingOutputSchema>;

/** A terminal of a device as its recorder sees it: it keeps its output until it is stored. */
export class FakeTerminal {
  readonly deviceId = uuidv7();
  readonly session = randomUUID();
  readonly startedAt = Date.now();
  size = { cols: 80, rows: 24 };
  /** All that the program has written. */
  output = Buffer.alloc(0);
  /** Output before this offset has left the buffer. */
  start = 0;
  stored = 0;
  closed = false;
  exit: number | undefined;
  /** Streams so far that a recorder reads. */
  streams = 0;
  readonly troubles: string[] = [];
  /** Of pieces of output. */
  pieceOf: () => number = () => PIECE;
  claim = 0n;
  /** The changes of its size, each in force from an offset of the output on. */
  readonly resizes: { offset: number; cols: number; rows: number }[] = [];
  protected channel: Channel | undefined;
  private sent = -1;
  protected acked = 0;
  private hasExited = false;
  /** How many of `resizes` this stream has got. */
  private sized = 0;

  constructor(
    readonly accountId: string,
    readonly mode: Recording = Recording.REQUIRED,
  ) {}

  print(bytes: Uint8Array | string): void {
    this.output = Buffer.concat([this.output, Buffer.from(bytes as Uint8Array)]);
    this.pump();
  }

  /** Has another size from the next byte on. */
  resize(cols: number, rows: number): void {
    this.resizes.push({ offset: this.output.length, cols, rows });
    this.pump();
  }

  end(code: number): void {
    this.exit = code;
    this.pump();
  }

  /** Breaks the stream. */
  cut(): void {
    this.channel?.close();
  }

  say(kind: Parameters<Channel['send']>[0]['kind']): void {
    this.channel?.send({ kind });
  }

  sendData(offset: number, text: string): void {
    this.channel?.sendData(offset, Buffer.from(text));
  }

  attach(socket: Duplex, head: Buffer): void {
    this.channel?.close();
    this.sent = -1;
    this.hasExited = false;
    const channel: Channel = new RecordingChannel(socket, head, RecordingInputSchema, RecordingOutputSchema, {
      message: (input) => this.channel === channel && this.handle(input),
      data: () => {},
      writable: () => this.pump(),
      ended: () => this.channel === channel && (this.channel = undefined),
    });
    this.channel = channel;
    this.introduce();
  }

  protected get about() {
    const { accountId, deviceId, session, mode } = this;
    const person = { userId: uuidv7(), userEmail: 'ada@a.example' };
    return { accountId, deviceId, session, mode, ...person, deviceName: 'pump-7', startedAt: BigInt(this.startedAt) };
  }

  protected introduce(): void {
    this.say({ case: 'terminal', value: { ...this.about, size: this.size } });
  }

  protected opened(from: number): void {
    const { cols, rows } = this.resizes.findLast(({ offset }) => offset <= from) ?? { cols: 80, rows: 24 };
    const value = { session: this.session, offset: BigInt(from), size: { cols, rows }, recording: this.mode };
    this.say({ case: 'output', value: { kind: { case: 'opened', value } } });
  }

  private sizeIs({ cols, rows }: { cols: number; rows: number }): void {
    this.say({ case: 'output', value: { kind: { case: 'size', value: { cols, rows } } } });
  }

  protected exited(code: number): void {
    this.say({ case: 'output', value: { kind: { case: 'exit', value: { code } } } });
  }

  protected handle({ kind }: RecordingInput): void {
    if (kind.case === 'from') this.open(Number(kind.value));
    if (kind.case === 'ack') this.acked = Number(kind.value);
    if (kind.case === 'stored') this.stored = Math.max(this.stored, Number(kind.value));
    if (kind.case === 'trouble') this.troubles.push(kind.value);
    if (kind.case === 'closed') this.closed = true;
    this.pump();
  }

  private open(from: number): void {
    if (from > this.output.length) return this.refuse(TerminalRefusal.OFFSET);
    this.sent = this.acked = from;
    // The agent says the size of the offset first, and later ones in their places.
    this.sized = this.resizes.filter(({ offset }) => offset <= from).length;
    this.streams++;
    this.opened(from);
  }

  refuse(code: TerminalRefusal): void {
    this.say({ case: 'output', value: { kind: { case: 'refused', value: { reason: 'refused', code } } } });
  }

  private pump(): void {
    while (this.sent >= 0 && this.channel?.ready) {
      this.sent = Math.max(this.sent, this.start);
      const resize = this.resizes[this.sized];
      if (resize && resize.offset <= this.sent) {
        this.sized++;
        this.sizeIs(resize);
        continue;
      }
      const most = Math.min(this.acked + WINDOW, this.sent + this.pieceOf(), resize?.offset ?? Infinity);
      const until = Math.min(this.output.length, most);
      if (until <= this.sent) break;
      this.channel.sendData(this.sent, this.output.subarray(this.sent, until));
      this.sent = until;
    }
    if (this.exit === undefined || this.sent < this.output.length || this.hasExited) return;
    this.hasExited = true;
    this.exited(this.exit);
  }
}

/** A desktop as its recorder sees it: tunnels keeps what is not stored. */
export class FakeDesktop extends FakeTerminal {
  /** Bytes that came after the end of its recording. */
  missing = 0n;
  reason = 'The VNC server ended the session.';

  protected override introduce(): void {
    this.say({ case: 'desktop', value: this.about });
  }

  protected override opened(from: number): void {
    this.acked = from;
  }

  protected override exited(): void {
    this.say({ case: 'end', value: { reason: this.reason, missing: this.missing } });
  }

  protected override handle(input: RecordingInput): void {
    // What is stored counts; a desktop has no other window.
    if (input.kind.case === 'stored') this.acked = Math.max(this.acked, Number(input.kind.value));
    if (input.kind.case === 'ack')
      throw new Error('a recorder acknowledges the bytes of a desktop only once they are stored');
    super.handle(input);
  }
}

/** Substitutes a replica of tunnels: announces terminals, and serves their streams. */
export class FakeTunnels {
  readonly replica = randomUUID();
  readonly redis = new Redis(process.env['TEST_REDIS_URL'] ?? '');
  private readonly terminals = new Map<string, FakeTerminal>();
  private readonly tickets = new Map<string, FakeTerminal>();
  private server!: Server;
  private app!: INestApplicationContext;

  static async start(nats: string): Promise<FakeTunnels> {
    const tunnels = new FakeTunnels();
    const port = await freePort('127.0.0.1');
    tunnels.server = createServer().on('upgrade', (request, socket, head) => {
      const ticket = (request.headers.authorization ?? '').slice('Bearer '.length);
      const terminal = tunnels.tickets.get(ticket);
      if (!terminal) return void socket.destroy();
      tunnels.tickets.delete(ticket);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: warren-recording\r\n\r\n');
      terminal.attach(socket, head);
    });
    await new Promise<void>((resolve) => tunnels.server.listen(port, '127.0.0.1', resolve));
    await tunnels.redis.hset(replicaKey(tunnels.replica), 'address', `http://127.0.0.1:${port}`);
    await tunnels.serve(nats);
    return tunnels;
  }

  async announce(terminal: FakeTerminal): Promise<void> {
    this.terminals.set(terminal.session, terminal);
    await this.redis.zadd(RECORDINGS.terminals, Date.now() + 600_000, this.memberOf(terminal));
    await this.redis.publish(RECORDINGS.changed, '1');
  }

  async forget(terminal: FakeTerminal): Promise<void> {
    await this.redis.zrem(RECORDINGS.terminals, this.memberOf(terminal));
  }

  async stop(): Promise<void> {
    for (const terminal of this.terminals.values()) {
      terminal.cut();
      await this.forget(terminal);
    }
    await this.app?.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.redis.disconnect();
  }

  private memberOf(terminal: FakeTerminal): string {
    return `${this.replica}/${terminal.deviceId}/${terminal.session}`;
  }

  private async serve(nats: string): Promise<void> {
    const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: nats });
    const handlers: Partial<RpcHandlers<typeof TunnelsService>> = {
      recordTerminal: async (_caller, { session, claim }) => {
        const terminal = this.terminals.get(session);
        if (!terminal || claim < terminal.claim) throw new Error('refused');
        terminal.claim = claim;
        const ticket = randomBytes(32).toString('base64url');
        this.tickets.set(ticket, terminal);
        return { ticket };
      },
    };
    const serving = {
      provide: 'SERVING',
      inject: [RpcServer],
      useFactory: (server: RpcServer) =>
        server.serve(TunnelsService, handlers as RpcHandlers<typeof TunnelsService>, this.replica),
    };
    class ProcessModule {}
    Module({ imports: [ServiceModule.forRoot({ name: 'tunnels', config })], providers: [serving] })(ProcessModule);
    this.app = await NestFactory.createApplicationContext(ProcessModule, { logger: false, abortOnError: false });
  }
}
