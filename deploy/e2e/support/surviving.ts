import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIRequestContext } from '@playwright/test';
import { io, type ManagerOptions, type Socket } from 'socket.io-client';
import { socketToken } from './api.ts';

/** The address of a terminal, and how to connect. */
export interface Way {
  /** Request with a session's cookie. */
  request: APIRequestContext;
  hub: string;
  /** Address of sockets: the hub's, or a proxy's. */
  via: () => string;
  device: string;
  /** Whether the socket states its purpose and device, like the console's; defaults to true. */
  names?: boolean;
  /** Creates the connection if it is not a plain one. */
  connection?: Partial<ManagerOptions>;
}

/** As in the console: the hub sends a ping every 5 s. */
const SILENCE_MS = 12_000;
const REGISTER_MS = 5_000;
const RETRY_MS = 150;

interface Status {
  success: boolean;
  session: string;
  offset: number;
  typed?: number;
  error?: string;
  code?: string;
}

/**
 * A terminal like the console's: it attaches again from the next byte, and repeats input that was not acknowledged. A missing or repeated
 * byte is an error.
 */
export class SurvivingTerminal {
  private readonly way: Way;
  private readonly writer = randomUUID();
  private readonly stopped = new AbortController();
  private readonly pieces: Buffer[] = [];
  private keep = (bytes: Buffer): void => void this.pieces.push(bytes);
  /** Number of received pieces at the last input. */
  private before = 0;
  private running: Promise<void> | undefined;
  private socket: Socket | undefined;
  private session = '';
  private offset = 0;
  private typed = Buffer.alloc(0);
  private taken = 0;
  private problem: Error | undefined;
  attached = false;
  /** Number of attachments. */
  attachments = 0;
  private heardAt = performance.now();
  private longest = 0;

  constructor(way: Way) {
    this.way = way;
  }

  static async open(way: Way): Promise<SurvivingTerminal> {
    const terminal = new SurvivingTerminal(way);
    terminal.running = terminal.run();
    await terminal.until(() => terminal.attached);
    return terminal;
  }

  /** The agent's id of it; empty before it is open. */
  get id(): string {
    return this.session;
  }

  /** All output so far. */
  get output(): Buffer {
    return Buffer.concat(this.pieces);
  }

  /** Gives all output, from the first byte on, to a reader instead of keeping it. What it throws is an error of the terminal. */
  readBy(read: (bytes: Buffer) => void): void {
    for (const bytes of this.pieces.splice(0)) read(bytes);
    this.keep = (bytes) => {
      try {
        read(bytes);
      } catch (error) {
        this.problem ??= error as Error;
      }
    };
  }

  /** Restarts the count of gaps. */
  watchGaps(): void {
    this.heardAt = performance.now();
    this.longest = 0;
  }

  /** The longest time without output since `watchGaps`, in milliseconds. */
  get longestGap(): number {
    return this.longest;
  }

  /** Number of unacknowledged input bytes. */
  get untaken(): number {
    return this.typed.length - this.taken;
  }

  type(text: string | Buffer): void {
    const bytes = Buffer.from(text);
    this.typed = Buffer.concat([this.typed, bytes]);
    this.before = this.pieces.length;
    if (this.attached) this.socket?.emit('input', { input: bytes });
  }

  /** Waits until a text has come since the last input. */
  shows(text: string, timeout?: number): Promise<void> {
    let [read, seen] = [this.before, ''];
    // Everything since the last check, which may be much on a busy machine.
    return this.until(() => {
      seen = seen.slice(-text.length) + Buffer.concat(this.pieces.slice(read)).toString('latin1');
      read = this.pieces.length;
      return seen.includes(text);
    }, timeout);
  }

  /** @throws Error if a byte was lost or repeated, or the terminal was refused */
  async until(condition: () => boolean, timeout = 60_000): Promise<void> {
    const deadline = Date.now() + timeout;
    while (!condition()) {
      if (this.problem) throw this.problem;
      if (Date.now() > deadline)
        throw new Error(`not so after ${timeout} ms; last output: ${this.output.toString('latin1').slice(-200)}`);
      await sleep(10);
    }
    if (this.problem) throw this.problem;
  }

  /** Ends the shell. */
  async close(): Promise<void> {
    this.socket?.emit('close', {});
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped.signal.aborted && !this.problem) {
      await this.connection().catch(() => {});
      this.attached = false;
      await sleep(RETRY_MS);
    }
  }

  /** One connection, until it ends or falls silent. */
  private async connection(): Promise<void> {
    const { request, hub, via, device, names = true, connection: how } = this.way;
    const { token, user_id: user, device_sid: connection } = await socketToken(request, device);
    if (connection === '') return;
    const socket = io(`${via()}/terminal`, {
      path: '/socketsio',
      transports: ['websocket'],
      query: { token, UserID: user, ...(names && { kind: 'terminal', device }) },
      extraHeaders: { origin: hub },
      forceNew: true,
      reconnection: false,
      timeout: REGISTER_MS,
      ...how,
    });
    this.socket = socket;
    let heardAt = Date.now();
    socket.io.engine.on('packet', () => (heardAt = Date.now()));
    let watch: NodeJS.Timeout | undefined;
    const ended = new Promise<void>((resolve) => {
      watch = setInterval(() => Date.now() - heardAt > SILENCE_MS && resolve(), 500);
      for (const event of ['disconnect', 'connect_error', 'client_disconnect']) socket.once(event, () => resolve());
      this.stopped.signal.addEventListener('abort', () => resolve(), { once: true });
      socket.on('register_status', (status: Status) => !this.registered(status) && resolve());
    });
    socket.on('accepted', ({ typed }: { typed: number }) => (this.taken = typed));
    socket.on('output', (message: { output: Buffer; offset: number }) => this.take(message));
    socket.once('connect', () => this.register());
    await ended;
    clearInterval(watch);
    // The last message is sent before the socket closes.
    socket.removeAllListeners();
    socket.disconnect();
  }

  private register(): void {
    const back = this.session ? { session: this.session, offset: this.offset } : {};
    const how = { cols: 80, rows: 24, encoding: 'binary', acks: true, writer: this.writer };
    this.socket?.emit('register', { ...how, ...back });
  }

  private registered({ success, session, offset, typed, error, code }: Status): boolean {
    if (!success) {
      if (this.session && code !== 'not_connected' && code !== 'failed') this.problem = new Error(`${code}: ${error}`);
      return false;
    }
    if (offset !== this.offset) this.problem = new Error(`the terminal resumes at ${offset}, not at ${this.offset}`);
    if (typed === undefined || typed < this.taken) this.problem = new Error(`taken: ${typed} after ${this.taken}`);
    this.session = session;
    this.taken = typed ?? 0;
    this.attached = true;
    this.attachments += 1;
    const again = this.typed.subarray(this.taken);
    if (again.length > 0) this.socket?.emit('input', { input: again });
    return true;
  }

  private take({ output, offset }: { output: Buffer; offset: number }): void {
    if (offset !== this.offset) this.problem ??= new Error(`output at ${offset}, expected at ${this.offset}`);
    this.offset = offset + output.length;
    this.longest = Math.max(this.longest, performance.now() - this.heardAt);
    this.heardAt = performance.now();
    this.keep(Buffer.from(output));
    this.socket?.emit('ack', { offset: this.offset });
  }
}
