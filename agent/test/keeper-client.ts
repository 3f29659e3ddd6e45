import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { inputFrame, KeeperReader, seenFrame, type KeeperState } from '../src/system/keeper.frames.ts';

/** An agent at a keeper's socket. */
export class KeeperClient {
  readonly socket: Socket;
  version = 0;
  refused: string | undefined;
  state: KeeperState | undefined;
  exit: { code: number; signal: number } | undefined;
  closed = false;
  /** Offset after the last byte of output. */
  end = 0;
  typed = new Map<string, number>();
  /** Bytes of input that the terminal has taken since. */
  read = 0;
  isAcking = true;
  private kept: Buffer[] = [];
  private changed: (() => void)[] = [];

  constructor(socket: Socket) {
    this.socket = socket;
    const reader = new KeeperReader((frame) => {
      if (frame.kind === 'hello') this.version = frame.version;
      else if (frame.kind === 'refused') this.refused = frame.why;
      else if (frame.kind === 'state') this.attached(frame.state);
      else if (frame.kind === 'exit') this.exit = { code: frame.code, signal: frame.signal };
      else if (frame.kind === 'typed') this.typed.set(frame.writer, frame.count);
      else if (frame.kind === 'read') this.read += frame.bytes;
      else this.output(frame.offset, frame.data);
    });
    socket.on('data', (bytes) => {
      reader.push(bytes);
      this.notify();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.notify();
    });
  }

  static async attach(path: string): Promise<KeeperClient> {
    const socket = connect(path);
    await once(socket, 'connect');
    const client = new KeeperClient(socket);
    await client.until(() => client.state !== undefined);
    return client;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.kept);
  }

  type(text: string | Uint8Array, writer = '', offset = 0): void {
    this.socket.write(inputFrame(writer, offset, typeof text === 'string' ? Buffer.from(text) : text));
  }

  async shows(text: string): Promise<void> {
    await this.until(() => this.bytes.includes(text));
  }

  /** Settles when `done` is true. @throws Error when the keeper leaves before */
  async until(done: () => boolean): Promise<void> {
    while (!done()) {
      if (this.closed)
        throw new Error(`the keeper left; last output: ${JSON.stringify(this.bytes.toString().slice(-300))}`);
      await new Promise<void>((resolve) => this.changed.push(resolve));
    }
  }

  private attached(state: KeeperState): void {
    this.state = state;
    this.end = state.start;
    this.typed = new Map(state.typed);
  }

  private output(offset: number, data: Buffer): void {
    if (offset !== this.end) throw new Error(`gap: ${offset} after ${this.end}`);
    this.end += data.length;
    this.kept.push(Buffer.from(data));
    if (this.isAcking) this.socket.write(seenFrame(this.end));
  }

  private notify(): void {
    for (const resolve of this.changed.splice(0)) resolve();
  }
}
