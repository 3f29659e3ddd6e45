import { until } from '@warren/infra/until';
import type { Duplex } from 'node:stream';
import type { TestDevice } from './fake.agent.ts';
import { dialRaw, dialToken } from './fake.agent.ts';

/** Frame types (RFC 9113, section 6; RFC 7838 and RFC 8336 for the last two). */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
  altsvc: 10,
  origin: 12,
} as const;
export const END_STREAM = 1;
export const ACK = 1;
export const END_HEADERS = 4;

const HEAD = 9;
const PREFACE = 24;

/** A frame (RFC 9113, section 4.1). */
export function frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array(0)): Buffer {
  const whole = Buffer.alloc(HEAD + payload.length);
  whole.writeUIntBE(payload.length, 0, 3);
  whole[3] = type;
  whole[4] = flags;
  whole.writeUInt32BE(stream, 5);
  whole.set(payload, HEAD);
  return whole;
}

/** A header block of literals that nothing remembers (RFC 7541, section 6.2.2). */
export function headers(fields: Record<string, string>): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
  return Buffer.concat(Object.entries(fields).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]));
}

/** A frame that came from the hub. */
export interface Came {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

/** A device that speaks HTTP/2 by hand, so that it can say anything. It answers PINGs and SETTINGS, and streams only as the test does. */
export class RawAgent {
  /** Streams that the hub has opened. */
  readonly opened: number[] = [];
  readonly came: Came[] = [];
  answersSettings = true;
  private rest = Buffer.alloc(0);
  private begun = false;
  /** Bytes that the hub has given leave for: of all streams, and of each (RFC 9113, section 5.2). */
  private linkCredit = 65_535;
  private readonly credits = new Map<number, number>();
  private wake = () => {};

  private constructor(readonly socket: Duplex) {
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    this.send(frame(FRAME.settings, 0, 0));
  }

  static async dial(url: string, device: TestDevice): Promise<RawAgent> {
    const { socket, head } = await dialRaw(url, {
      Authorization: `Bearer ${await dialToken(device)}`,
      'Warren-Agent-Version': '0.1.0',
    });
    if (head.length > 0) socket.unshift(head);
    return new RawAgent(socket);
  }

  get alive(): boolean {
    return !this.socket.destroyed && !this.socket.readableEnded;
  }

  /** Sends bytes; resolves when the system takes more. */
  async send(...bytes: Uint8Array[]): Promise<void> {
    const whole = bytes.length === 1 ? bytes[0] : Buffer.concat(bytes);
    if (!this.socket.writable || this.socket.write(whole)) return;
    await new Promise<void>((resolve) => {
      const settle = () => {
        this.socket.off('drain', settle).off('close', settle);
        resolve();
      };
      this.socket.on('drain', settle).on('close', settle);
    });
  }

  /** Resolves with the stream that the hub opens as the one of that number, from 0. */
  async stream(index: number): Promise<number> {
    await until(() => this.opened[index] !== undefined);
    return this.opened[index] as number;
  }

  /** The last INITIAL_WINDOW_SIZE that the hub has sent (RFC 9113, 6.5.2). */
  get window(): number | undefined {
    let found: number | undefined;
    for (const { type, flags, payload } of this.came) {
      if (type !== FRAME.settings || flags & ACK) continue;
      for (let at = 0; at < payload.length; at += 6)
        if (payload.readUInt16BE(at) === 4) found = payload.readUInt32BE(at + 2);
    }
    return found;
  }

  /** Answers a call as an agent does, and leaves it open. */
  accept(stream: number): void {
    const fields = { ':status': '200', 'content-type': 'application/connect+proto' };
    void this.send(frame(FRAME.headers, END_HEADERS, stream, headers(fields)));
  }

  /** Sends the same bytes again and again until the link is gone or so many have been sent. @returns how many */
  async flood(bytes: Uint8Array, most: number): Promise<number> {
    let sent = 0;
    while (this.alive && sent < most) {
      await this.send(bytes);
      sent += bytes.length;
      await new Promise(setImmediate);
    }
    return sent;
  }

  /** Sends a body in DATA frames again and again, as far as flow control lets it, until it is stopped. @param sent told of each body */
  async pour(stream: number, frames: readonly Buffer[], sent: () => Promise<boolean>): Promise<void> {
    const bytes = frames.reduce((sum, { length }) => sum + length - HEAD, 0);
    const whole = Buffer.concat(frames);
    do {
      const credit = () => Math.min(this.linkCredit, (this.window ?? 65_535) + (this.credits.get(stream) ?? 0));
      while (this.alive && credit() < bytes) await new Promise<void>((resolve) => (this.wake = resolve));
      this.linkCredit -= bytes;
      this.credits.set(stream, (this.credits.get(stream) ?? 0) - bytes);
      await this.send(whole);
    } while (this.alive && (await sent()));
  }

  close(): void {
    this.wake();
    this.socket.destroy();
  }

  private take(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    if (!this.begun) {
      if (this.rest.length < PREFACE) return;
      this.rest = this.rest.subarray(PREFACE);
      this.begun = true;
    }
    while (this.rest.length >= HEAD) {
      const length = this.rest.readUIntBE(0, 3);
      if (this.rest.length < HEAD + length) return;
      const [type = 0, flags = 0] = [this.rest[3], this.rest[4]];
      const stream = this.rest.readUInt32BE(5) & 0x7fffffff;
      const payload = this.rest.subarray(HEAD, HEAD + length);
      this.rest = this.rest.subarray(HEAD + length);
      this.heard({ type, flags, stream, payload });
    }
  }

  private credited(stream: number, bytes: number): void {
    if (stream === 0) this.linkCredit += bytes;
    else this.credits.set(stream, (this.credits.get(stream) ?? 0) + bytes);
    this.wake();
  }

  private heard(came: Came): void {
    const { type, flags, stream, payload } = came;
    if (type === FRAME.headers) this.opened.push(stream);
    if (type === FRAME.window) this.credited(stream, payload.readUInt32BE(0));
    else this.came.push(came);
    if (flags & ACK) return;
    if (type === FRAME.ping) void this.send(frame(FRAME.ping, ACK, 0, payload));
    if (type === FRAME.settings && this.answersSettings) void this.send(frame(FRAME.settings, ACK, 0));
  }
}
