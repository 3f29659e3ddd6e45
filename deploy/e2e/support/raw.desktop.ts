import type { APIRequestContext } from '@playwright/test';
import { until } from '@warren/infra/until';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { socketToken } from './api.ts';

const PIECE = 32 * 1024;
const LARGEST = 256 * 1024;
const PATIENCE_MS = 90_000;

/** A server on a device in place of a VNC server: it sends what a test says, as far as it is read. */
export class RawServer {
  private readonly connections: net.Socket[] = [];
  private readonly server: net.Server;
  /** What the newest connection was sent. */
  private sent: Buffer[] = [];

  private constructor(server: net.Server) {
    this.server = server;
    server.on('connection', (socket) => {
      socket.on('error', () => {}).resume();
      this.connections.push(socket);
      this.sent = [];
    });
  }

  static async start(): Promise<RawServer> {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RawServer(server);
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.sent);
  }

  /** Sends bytes that can't be compressed, some hundred KiB at once, at the pace at which they are read. */
  async send(length: number): Promise<void> {
    const connection = this.connections.at(-1);
    if (!connection) throw new Error('nobody is connected');
    for (let left = length; left > 0 && !connection.destroyed;) {
      const piece = noise(this.sent.length, Math.min(left, LARGEST));
      this.sent.push(piece);
      left -= piece.length;
      if (!connection.write(piece))
        await until(() => connection.destroyed || !connection.writableNeedDrain, PATIENCE_MS);
    }
  }

  /** Ends the newest connection. */
  end(): void {
    this.connections.at(-1)?.end();
  }

  async stop(): Promise<void> {
    for (const connection of this.connections) connection.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A desktop as a client of the API shows it. */
export class RawDesktop {
  private readonly pieces: Buffer[] = [];
  private readonly socket: Socket;
  /** The marks of its recording, as they came. */
  readonly marks: { state: string; reason: string }[] = [];
  /** Why it has ended; empty as long as it has not. */
  ended = '';

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('vnc_stream', ({ data }: { data: Buffer }) => this.pieces.push(Buffer.from(data)));
    socket.on('recording', (mark: { state: string; reason: string }) => this.marks.push(mark));
    socket.on('client_disconnect', ({ code }: { code: string }) => (this.ended = code));
    socket.on('disconnect', (why: string) => (this.ended ||= why));
  }

  /** @throws Error with the code of a refusal */
  static async open(request: APIRequestContext, hub: string, device: string): Promise<RawDesktop> {
    const { token, user_id: user } = await socketToken(request, device, '', 'desktop');
    const socket = io(`${hub}/desktop`, {
      path: '/socketsio',
      transports: ['websocket'],
      query: { token, UserID: user, kind: 'desktop', device },
      extraHeaders: { origin: hub },
      forceNew: true,
      reconnection: false,
    });
    const desktop = new RawDesktop(socket);
    let refusal: string | undefined;
    let isOpen = false;
    socket.on('connect_error', (error) => (refusal = error.message));
    socket.on('vnc_status', ({ success, code = '' }: { success: boolean; code?: string }) => {
      isOpen = success;
      if (!success) refusal = code;
    });
    socket.emit('start_vnc', { encoding: 'binary' });
    await until(() => isOpen || refusal !== undefined);
    if (!isOpen) {
      socket.disconnect();
      throw new Error(refusal);
    }
    return desktop;
  }

  get shown(): Buffer {
    return Buffer.concat(this.pieces);
  }

  close(): void {
    this.socket.disconnect();
  }
}

/** The same bytes for each seed. */
function noise(seed: number, length: number): Buffer {
  const block = Buffer.concat(
    Array.from({ length: PIECE / 32 }, (_, at) => createHash('sha256').update(`${seed}:${at}`).digest()),
  );
  return Buffer.alloc(length, block);
}
