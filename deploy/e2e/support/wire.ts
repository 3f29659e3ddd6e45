import type { Socket as NetSocket } from 'node:net';
import type { APIRequestContext } from '@playwright/test';
import type { Socket } from 'socket.io-client';
import { socketToken, type SocketToken } from './api.ts';
import { openSocket } from './socket.ts';

interface Output {
  output: Uint8Array;
  offset: number;
}

interface Waiting {
  done: () => boolean;
  resolve: () => void;
}

/** Longer than any program of a test, shorter than the test's time limit. */
const WAIT_MS = 120_000;

/** A terminal without a screen: its output counts as parsed at once. */
export class WireTerminal {
  private readonly socket: Socket;
  private readonly ids: { client_sid: string; browser_sid: string | undefined };
  private count = 0;
  /** The end of the output, long enough to find a word. */
  private tail = '';
  private waiting: Waiting | undefined;

  private constructor(socket: Socket, token: SocketToken) {
    this.socket = socket;
    this.ids = { client_sid: token.device_sid, browser_sid: socket.id };
    socket.on('output', (message: Output) => this.take(message));
  }

  /**
   * Registers on an open socket. Without `acks` the hub takes what has left it for parsed, so that nothing but the network holds the
   * program up.
   * @throws with the hub's reason when it is refused
   */
  static async open(socket: Socket, token: SocketToken, { acks = true } = {}): Promise<WireTerminal> {
    const terminal = new WireTerminal(socket, token);
    const answer = new Promise<{ success: boolean; error?: string }>((resolve) =>
      socket.once('register_status', resolve),
    );
    socket.emit('register', { ...terminal.ids, cols: 80, rows: 24, encoding: 'binary', acks });
    const { success, error } = await answer;
    if (!success) throw new Error(`register: ${error}`);
    return terminal;
  }

  /** Opens a terminal of a device as the one who asks. Throws as {@link open}. */
  static async ofDevice(
    request: APIRequestContext,
    hub: string,
    id: string,
    options: { acks?: boolean } = {},
  ): Promise<WireTerminal> {
    const token = await socketToken(request, id);
    return WireTerminal.open(await openSocket(hub, token), token, options);
  }

  type(text: string): void {
    this.tail = '';
    this.socket.emit('input', { input: Buffer.from(text), ...this.ids });
  }

  /** The end of what has come since the last input. */
  get text(): string {
    return this.tail;
  }

  /** Bytes that have come until now. */
  get received(): number {
    return this.count;
  }

  /** Stops reading from the network until released, like the browser of a suspended machine. */
  hold(held: boolean): void {
    const { ws } = this.socket.io.engine.transport as unknown as { ws: { _socket: NetSocket } };
    if (held) ws._socket.pause();
    else ws._socket.resume();
  }

  /** Waits until so many more bytes have come. Throws as {@link until}. */
  receive(bytes: number): Promise<void> {
    const goal = this.count + bytes;
    return this.wait(`${bytes} bytes`, () => this.count >= goal);
  }

  /**
   * Waits until a text has come since the last input.
   * @throws Error with the end of what came instead, after two minutes
   */
  until(text: string): Promise<void> {
    return this.wait(`'${text}'`, () => this.tail.includes(text));
  }

  /** Ends the shell, and goes when it has ended: what comes together with a disconnect, Socket.IO drops. */
  close(): void {
    this.socket.once('exit', () => this.socket.disconnect());
    this.socket.emit('close', {});
  }

  private take({ output, offset }: Output): void {
    this.count += output.length;
    // Longer than any frame, so that an expected word is never cut.
    this.tail = (this.tail + Buffer.from(output).toString('latin1')).slice(-1024 * 1024);
    this.socket.emit('ack', { offset: offset + output.length });
    if (!this.waiting?.done()) return;
    this.waiting.resolve();
    this.waiting = undefined;
  }

  private wait(what: string, done: () => boolean): Promise<void> {
    if (done()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        const link = this.socket.connected ? 'open' : 'closed';
        const came = JSON.stringify(this.tail.slice(-500));
        reject(new Error(`The terminal did not give ${what}. Its socket is ${link}; what came last: ${came}.`));
      }, WAIT_MS);
      this.waiting = {
        done,
        resolve: () => {
          clearTimeout(limit);
          resolve();
        },
      };
    });
  }
}
