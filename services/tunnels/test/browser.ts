import type { Socket as TcpSocket } from 'node:net';
import type { Socket } from 'socket.io-client';

export interface Output {
  output: string | Buffer;
  offset: number;
}

/** What a socket receives besides bytes, in any kind of session. */
const TOLD = [
  ...['register_status', 'vnc_status', 'exit', 'client_disconnect', 'accepted'],
  ...['people', 'asking', 'snapshot', 'size', 'sizing', 'typing', 'recording'],
  ...['page', 'lines', 'older', 'older_failed', 'failed', 'units'],
];

/** A browser's socket that records the events it receives. */
export class Browser {
  readonly outputs: Output[] = [];
  readonly received: [string, Record<string, unknown>][] = [];

  constructor(readonly socket: Socket) {
    socket.on('output', (message: Output) => this.outputs.push(message));
    for (const event of TOLD) {
      socket.on(event, (message: Record<string, unknown>) => this.received.push([event, message]));
    }
    socket.on('disconnect', (reason: string) => this.received.push(['disconnect', { reason }]));
    socket.on('connect_error', (error: Error & { data?: object }) =>
      this.received.push(['connect_error', { message: error.message, ...error.data }]),
    );
  }

  heard(event: string): Record<string, unknown> | undefined {
    return this.received.findLast(([name]) => name === event)?.[1];
  }

  /** All payloads of one event, in order. */
  all(event: string): Record<string, unknown>[] {
    return this.received.filter(([name]) => name === event).map(([, message]) => message);
  }

  /** The TCP connection under the socket. */
  raw(): TcpSocket {
    const { transport } = this.socket.io.engine as unknown as { transport: { ws: { _socket: TcpSocket } } };
    return transport.ws._socket;
  }

  bytes(): Buffer {
    return Buffer.concat(this.outputs.map(({ output }) => Buffer.from(output as Buffer)));
  }

  text(): string {
    return this.outputs.map(({ output }) => output).join('');
  }
}
