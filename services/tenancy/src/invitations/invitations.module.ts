import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import type { RedisConfig } from '@warren/platform/config/common';
import { QueueConnection } from '@warren/platform/redis/queue.connection';
import { RedisServer } from '@warren/platform/redis/redis.server';
import type { ConnectionOptions } from 'bullmq';
import { MAIL_OPTIONS, Mailer } from '../mail/mailer.ts';
import { AcceptanceService } from './acceptance.service.ts';
import { InvitationPost } from './invitation.post.ts';
import { InvitationPublisher } from './invitation.publisher.ts';
import { INVITATION_MAILS } from './invitation.queue.ts';
import { InvitationsService } from './invitations.service.ts';
import { Invitations } from './invitations.ts';

/** In braces, so that a cluster keeps a queue's keys on one node. */
const PREFIX = '{tenancy}:queue';

interface Config extends RedisConfig {
  SMTP_URL: string;
  HUB_URL: string;
  MAIL_FROM?: string | undefined;
}

/** Invitations, and the delivery of their mails: rows, a queue in Redis, the mail server. */
@Module({})
export class InvitationsModule {
  static forRoot(config: Config): DynamicModule {
    const { HUB_URL: hub, SMTP_URL: smtpUrl } = config;
    const from = config.MAIL_FROM ?? `Warren <no-reply@${new URL(hub).hostname}>`;
    const options = { hub, smtpUrl, from };
    const queue = new QueueConnection(new RedisServer(config), 'tenancy');
    return {
      module: InvitationsModule,
      imports: queueOf(queue),
      providers: [
        ...[AcceptanceService, InvitationPost, InvitationPublisher, Invitations, InvitationsService],
        { provide: MAIL_OPTIONS, useValue: options },
        { provide: QueueConnection, useValue: queue },
        { provide: Mailer, useFactory: () => new Mailer(options) },
      ],
      exports: [AcceptanceService, Invitations, InvitationsService],
    };
  }
}

function queueOf(queue: QueueConnection): DynamicModule[] {
  // Two declarations of one type: ioredis lets a strategy return null, which BullMQ passes on to it.
  const connection = queue.connection as ConnectionOptions;
  return [BullModule.forRoot({ connection, prefix: PREFIX }), BullModule.registerQueue({ name: INVITATION_MAILS })];
}
