import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Event } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import { SignInService } from '../sign-in/sign-in.service.ts';

/** Ends the sessions of disabled and deleted users: a session must not outlive its user's access. */
@Injectable()
export class MemberEvents implements OnModuleInit {
  constructor(
    private readonly events: EventConsumer,
    private readonly signIns: SignInService,
    private readonly outbox: RedisOutbox,
  ) {}

  onModuleInit(): void {
    this.events.on('userChanged', async (event, { email, active, signInResetBy }) => {
      if (!active) await this.signIns.endByEmail(email, 'user disabled');
      if (!signInResetBy) return;
      // Of a tenancy of 0.1, which records nothing itself.
      if (!event.audited) await this.recordReset(event, email, signInResetBy);
      await this.signIns.endByEmail(email, 'sign-in reset');
    });
    this.events.on('userDeleted', async (_event, { email }) => {
      await this.signIns.endByEmail(email, 'user deleted');
    });
  }

  private async recordReset(following: Event, email: string, by: string): Promise<void> {
    const { accountId, actor: id } = following;
    const target = { kind: 'user', id: email, name: email } as const;
    const actor = { kind: AuditActorKind.USER, id, name: by };
    const event = { action: 'user.reset_sign_in', accountId, target, actor, following } as const;
    await this.outbox.record([auditEvent(serviceCaller('identity', following.id), event)]);
  }
}
