import type { Socket } from 'socket.io';
import { SocketTransport } from '../sockets/transport.ts';
import type { ClientMessages, ServerMessages } from './messages.ts';
import type { OutputSink } from './output.ts';

export type BrowserSocket = Socket<ClientMessages, ServerMessages>;

/** A Socket.IO socket as output: busy until the kernel has accepted what was sent. */
export class SocketSink extends SocketTransport implements OutputSink {
  constructor(private readonly socket: BrowserSocket) {
    super(socket);
  }

  send(message: { output: string | Uint8Array; offset: number }): void {
    this.together(message.output.length, () => this.socket.emit('output', message));
  }
}
