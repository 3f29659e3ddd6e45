import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { refusalOf, refuse } from '@warren/platform/http/refuse';
import { RECORDING_UPGRADE } from '@warren/platform/recordings/channel';
import type { Upgrade } from '@warren/transport/upgrade';
import { RecordedTerminals } from './recorded.terminals.ts';

const ACCEPTED = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${RECORDING_UPGRADE}\r\n\r\n`;

/** Takes the streams of recorders, which have a ticket for one terminal each. */
@Injectable()
export class RecordingEndpoint {
  constructor(private readonly terminals: RecordedTerminals) {}

  /** Handles an upgrade request. Never rejects. */
  upgrade({ request, socket, head }: Upgrade): void {
    const [, ticket = ''] = /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '') ?? [];
    const terminal = this.terminals.redeem(ticket);
    if (!terminal) return refuse(socket, refusalOf(new Fault('unauthenticated', 'The ticket is not valid.')));
    if (request.headers.upgrade?.toLowerCase() !== RECORDING_UPGRADE)
      return refuse(socket, refusalOf(new Fault('invalid_argument', `expected an upgrade to ${RECORDING_UPGRADE}.`)));
    socket.write(ACCEPTED);
    terminal.attach({ socket, head });
  }
}
