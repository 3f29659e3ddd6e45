import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Event } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import { GuestLinksService } from '../guests/guest.links.service.ts';
import { GuestReviews } from '../guests/guest.reviews.ts';
import { SignInService } from '../sign-in/sign-in.service.ts';
import { TokensService } from '../tokens/tokens.service.ts';

/** Ends the sessions, API tokens and guest links of disabled, deleted and moved users: none outlives its user's access. */
@Injectable()
export class MemberEvents implements OnModuleInit {
  constructor(
    private readonly events: EventConsumer,
    private readonly signIns: SignInService,
    private readonly tokens: TokensService,
    private readonly guests: GuestLinksService,
    private readonly reviews: GuestReviews,
    private readonly outbox: RedisOutbox,
  ) {}

  onModuleInit(): void {
    this.events.on('userChanged', async (event, { userId, email, active, signInResetBy }) => {
      if (event.accountId) await this.tokens.revokeOf(userId, 'user moved', event.accountId);
      if (!active) await this.tokens.revokeOf(userId, 'user disabled');
      if (event.accountId) await this.guests.endOf({ makerId: userId, outside: event.accountId }, 'user moved');
      if (!active) await this.guests.endOf({ makerId: userId }, 'user disabled');
      if (!active) await this.signIns.endByEmail(email, 'user disabled');
      if (!signInResetBy) return active ? this.reviews.mark({ makerId: userId }) : undefined;
      await this.tokens.revokeOf(userId, 'sign-in reset');
      await this.guests.endOf({ makerId: userId }, 'sign-in reset');
      // Of a tenancy of 0.1, which records nothing itself.
      if (!event.audited) await this.recordReset(event, email, signInResetBy);
      await this.signIns.endByEmail(email, 'sign-in reset');
    });
    this.events.on('userDeleted', async (_event, { userId, email }) => {
      await this.tokens.forget(userId);
      await this.guests.endOf({ makerId: userId }, 'user deleted');
      await this.signIns.endByEmail(email, 'user deleted');
    });
    this.events.on('accountChanged', async (_event, { accountId, active }) => {
      if (!active) await this.guests.endOf({ accountId }, 'account disabled');
    });
    this.events.on('accountDeleted', (_event, { accountId }) => this.guests.endOf({ accountId }, 'account deleted'));
    this.events.on('deviceDeleted', (_event, { deviceId }) => this.guests.endOf({ deviceId }, 'device deleted'));
  }

  private async recordReset(following: Event, email: string, by: string): Promise<void> {
    const { accountId, actor: id } = following;
    const target = { kind: 'user', id: email, name: email } as const;
    const actor = { kind: AuditActorKind.USER, id, name: by };
    const event = { action: 'user.reset_sign_in', accountId, target, actor, following } as const;
    await this.outbox.record([auditEvent(serviceCaller('identity', following.id), event)]);
  }
}
