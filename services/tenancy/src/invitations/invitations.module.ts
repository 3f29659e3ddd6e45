import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import type { RedisConfig } from '@warren/platform/config/common';
import { mailOptions, type MailConfig } from '@warren/platform/mail/mail.config';
import { MAIL_OPTIONS, Mailer } from '@warren/platform/mail/mailer';
import { QueueConnection, queuePrefix } from '@warren/platform/queue/queue.connection';
import { AcceptanceService } from './acceptance.service.ts';
import { InvitationPost } from './invitation.post.ts';
import { InvitationPublisher } from './invitation.publisher.ts';
import { INVITATION_MAILS } from './invitation.queue.ts';
import { InvitationsService } from './invitations.service.ts';
import { Invitations } from './invitations.ts';

/** Invitations, and the delivery of their mails: rows, a queue in Redis, the mail server. */
@Module({})
export class InvitationsModule {
  static forRoot(config: RedisConfig & MailConfig): DynamicModule {
    const options = mailOptions(config);
    const queue = new QueueConnection(config, 'tenancy');
    return {
      module: InvitationsModule,
      imports: queueOf(queue),
      providers: [
        ...[AcceptanceService, InvitationPost, InvitationPublisher, Invitations, InvitationsService],
        { provide: MAIL_OPTIONS, useValue: options },
        { provide: QueueConnection, useValue: queue },
        { provide: Mailer, useFactory: () => new Mailer(options) },
      ],
      exports: [AcceptanceService, Invitations, InvitationsService, MAIL_OPTIONS, Mailer],
    };
  }
}

function queueOf({ connection }: QueueConnection): DynamicModule[] {
  return [
    BullModule.forRoot({ connection, prefix: queuePrefix('tenancy') }),
    BullModule.registerQueue({ name: INVITATION_MAILS }),
  ];
}
