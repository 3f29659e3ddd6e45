import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import type { RedisConfig } from '@warren/platform/config/common';
import { mailOptions, type MailConfig } from '@warren/platform/mail/mail.config';
import { MAIL_OPTIONS, Mailer } from '@warren/platform/mail/mailer';
import { QueueConnection, queuePrefix } from '@warren/platform/queue/queue.connection';

/** What mails need: their queues, which are in Redis, and the mail server. */
@Module({})
export class MailsModule {
  /** @param names of the queues */
  static forRoot(config: RedisConfig & MailConfig, names: readonly string[]): DynamicModule {
    const options = mailOptions(config);
    const queue = new QueueConnection(config, 'tenancy');
    const { connection } = queue;
    const queues = BullModule.registerQueue(...names.map((name) => ({ name })));
    return {
      module: MailsModule,
      imports: [BullModule.forRoot({ connection, prefix: queuePrefix('tenancy') }), queues],
      providers: [
        { provide: MAIL_OPTIONS, useValue: options },
        { provide: QueueConnection, useValue: queue },
        { provide: Mailer, useFactory: () => new Mailer(options) },
      ],
      exports: [queues, MAIL_OPTIONS, Mailer],
      global: true,
    };
  }
}
