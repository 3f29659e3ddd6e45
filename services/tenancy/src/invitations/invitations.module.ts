import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { MAIL_OPTIONS, Mailer } from '../mail/mailer.ts';
import { InvitationsRpc } from '../rpc/invitations.rpc.ts';
import { AcceptanceService } from './acceptance.service.ts';
import { InvitationPost } from './invitation.post.ts';
import { INVITATION_MAILS } from './invitation.queue.ts';
import { InvitationRelay } from './invitation.relay.ts';
import { Invitations } from './invitations.ts';
import { InvitationsService } from './invitations.service.ts';

const PREFIX = 'tenancy:queue';
const MAX_RECONNECT_MS = 1_000;

interface Config {
  REDIS_URL: string;
  SMTP_URL: string;
  HUB_URL: string;
  MAIL_FROM?: string | undefined;
}

/** Invitations, and the way of their mails: rows, a queue in Redis, the mail server. */
@Module({})
export class InvitationsModule {
  static forRoot(config: Config): DynamicModule {
    const { HUB_URL: hub, SMTP_URL: smtpUrl } = config;
    const from = config.MAIL_FROM ?? `Warren <no-reply@${new URL(hub).hostname}>`;
    const options = { hub, smtpUrl, from };
    return {
      module: InvitationsModule,
      imports: queueOf(config.REDIS_URL),
      providers: [
        ...[AcceptanceService, InvitationPost, InvitationRelay, Invitations, InvitationsRpc, InvitationsService],
        { provide: MAIL_OPTIONS, useValue: options },
        { provide: Mailer, useFactory: () => new Mailer(options) },
      ],
      exports: [Invitations],
    };
  }
}

function queueOf(url: string): DynamicModule[] {
  const retryStrategy = (attempt: number) => Math.min(100 * attempt, MAX_RECONNECT_MS);
  const connection = { url, connectionName: 'tenancy', maxRetriesPerRequest: null, retryStrategy };
  return [BullModule.forRoot({ connection, prefix: PREFIX }), BullModule.registerQueue({ name: INVITATION_MAILS })];
}
