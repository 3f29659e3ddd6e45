import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { refusalOf, refuse } from '@warren/platform/http/refuse';
import { RECORDING_UPGRADE } from '@warren/platform/recordings/channel';
import type { Upgrade } from '@warren/transport/upgrade';
import { RecordedSources } from './recorded.sources.ts';

const ACCEPTED = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${RECORDING_UPGRADE}\r\n\r\n`;

/** Takes the streams of recorders, which have a ticket for one session each. */
@Injectable()
export class RecordingEndpoint {
  constructor(private readonly sources: RecordedSources) {}

  /** Handles an upgrade request. Never rejects. */
  upgrade({ request, socket, head }: Upgrade): void {
    const [, ticket = ''] = /^Bearer ([\w-]{43})$/.exec(request.headers.authorization ?? '') ?? [];
    const source = this.sources.redeem(ticket);
    if (!source) return refuse(socket, refusalOf(new Fault('unauthenticated', 'The ticket is not valid.')));
    if (request.headers.upgrade?.toLowerCase() !== RECORDING_UPGRADE)
      return refuse(socket, refusalOf(new Fault('invalid_argument', `expected an upgrade to ${RECORDING_UPGRADE}.`)));
    socket.write(ACCEPTED);
    source.attach({ socket, head });
  }
}
