import { Controller, Query, Sse, type MessageEvent } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { CurrentCaller, CurrentSession } from '../auth/caller.decorator.ts';
import { DescribeContent } from '../http/api.decorators.ts';
import type { SignedIn } from '../http/signed-in.request.ts';
import { LiveService } from './live.service.ts';
import { FLEET } from '../http/example.fleet.ts';

/** High-water mark in characters for a browser that does not read; beyond it the stream ends, and the page reloads everything. */
const MAX_WAITING = 256 * 1024;

const eventsQuery = z.object({
  age: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      'Milliseconds since you began to read what the stream is to keep current, and what the opening may take. What changed in that time comes first.',
    ),
});

const CHANGE = { kind: 'device', id: FLEET.device.id, account: FLEET.account.id };

@ApiTags('events')
@Controller('api/events')
export class LiveController {
  constructor(private readonly live: LiveService) {}

  @Sse(undefined, { maxPendingDataLength: MAX_WAITING })
  @DescribeContent({
    content: { 'text/event-stream': `event: change\ndata: ${JSON.stringify(CHANGE)}\n\n` },
    summary: 'Streams what others change, as it happens.',
    description:
      'Server-sent events named `change` with data `{kind, id, account}`; kind is device, account, user, group, invitation, ' +
      'rollout, alert, audit, access or request; the id of the last four is that of the account. `resync` means that anything may have changed: read everything again. `alive` comes every second. With ' +
      '`age`, changes since then come first, or `resync` if they are not known; `current` ends them. The stream ends with ' +
      'the session, and whenever changes may have been missed: open it again with the age of what you heard last.',
  })
  streamEvents(
    @CurrentSession() signedIn: SignedIn,
    @CurrentCaller() caller: Caller,
    @Query({ schema: eventsQuery }) { age }: z.output<typeof eventsQuery>,
  ): Observable<MessageEvent> {
    return this.live.stream({ signedIn, caller }, age);
  }
}
