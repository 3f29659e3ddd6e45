import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { AuditService } from '../audit/audit.service.ts';
import { SignInService } from '../sign-in/sign-in.service.ts';
import { TokensService } from '../tokens/tokens.service.ts';

/** Ends the sessions and API tokens of disabled, deleted and moved users: neither outlives its user's access. */
@Injectable()
export class MemberEvents implements OnModuleInit {
  constructor(
    private readonly events: EventConsumer,
    private readonly signIns: SignInService,
    private readonly tokens: TokensService,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.events.on('userChanged', async ({ id, accountId }, { userId, email, active, signInResetBy }) => {
      if (accountId) await this.tokens.revokeOf(userId, 'user moved', accountId);
      if (!active) await this.tokens.revokeOf(userId, 'user disabled');
      if (!active) await this.signIns.endByEmail(email, 'user disabled');
      if (!signInResetBy) return;
      await this.tokens.revokeOf(userId, 'sign-in reset');
      await this.audit.record({ id, action: 'sign_in_reset', actor: email, detail: `by ${signInResetBy}` });
      await this.signIns.endByEmail(email, 'sign-in reset');
    });
    this.events.on('userDeleted', async (_event, { userId, email }) => {
      await this.tokens.forget(userId);
      await this.signIns.endByEmail(email, 'user deleted');
    });
  }
}
