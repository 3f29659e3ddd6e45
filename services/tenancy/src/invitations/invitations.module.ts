import { Module } from '@nestjs/common';
import { AcceptanceService } from './acceptance.service.ts';
import { InvitationPost } from './invitation.post.ts';
import { InvitationPublisher } from './invitation.publisher.ts';
import { InvitationsService } from './invitations.service.ts';
import { Invitations } from './invitations.ts';

/** Invitations, and the delivery of their mails: rows, a queue in Redis, the mail server. */
@Module({
  providers: [AcceptanceService, InvitationPost, InvitationPublisher, Invitations, InvitationsService],
  exports: [AcceptanceService, Invitations, InvitationsService],
})
export class InvitationsModule {}
