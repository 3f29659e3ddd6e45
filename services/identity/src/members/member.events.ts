import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { AuditService } from '../audit/audit.service.ts';
import { SignInService } from '../sign-in/sign-in.service.ts';

/** Ends the sessions of disabled and deleted users: a session must not outlive its user's access. */
@Injectable()
export class MemberEvents implements OnModuleInit {
  constructor(
    private readonly events: EventConsumer,
    private readonly signIns: SignInService,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.events.on('userChanged', async ({ id }, { email, active, signInResetBy }) => {
      if (!active) await this.signIns.endByEmail(email, 'user disabled');
      if (!signInResetBy) return;
      await this.audit.record({ id, action: 'sign_in_reset', actor: email, detail: `by ${signInResetBy}` });
      await this.signIns.endByEmail(email, 'sign-in reset');
    });
    this.events.on('userDeleted', async (_event, { email }) => {
      await this.signIns.endByEmail(email, 'user deleted');
    });
  }
}
