import { Controller, Sse, type MessageEvent } from '@nestjs/common';
import { ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import type { Observable } from 'rxjs';
import { CurrentCaller, CurrentSession } from '../auth/caller.decorator.ts';
import type { SignedIn } from '../auth/signed-in.request.ts';
import { LiveService } from './live.service.ts';

/** Characters that may wait for a browser that does not read; past that its stream ends, and it reads everything anew. */
const MAX_WAITING = 256 * 1024;

@ApiTags('events')
@Controller('api/events')
export class LiveController {
  constructor(private readonly live: LiveService) {}

  @Sse(undefined, { maxPendingDataLength: MAX_WAITING })
  @ApiProduces('text/event-stream')
  @ApiOperation({
    summary: 'Streams what others change, as it happens.',
    description:
      'Server-sent events named `change` with data `{kind, id, account}`; kind is device, account, user or group. An ' +
      'event `alive` comes every second. The ' +
      'stream ends with the session, and whenever something may have been missed; read everything again after a reconnect.',
  })
  streamEvents(@CurrentSession() signedIn: SignedIn, @CurrentCaller() caller: Caller): Observable<MessageEvent> {
    return this.live.stream({ signedIn, caller });
  }
}
