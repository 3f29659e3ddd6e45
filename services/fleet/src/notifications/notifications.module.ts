import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import type { RedisConfig } from '@warren/platform/config/common';
import { mailOptions, type MailConfig } from '@warren/platform/mail/mail.config';
import { MAIL_OPTIONS, Mailer } from '@warren/platform/mail/mailer';
import { Addresses } from '@warren/platform/outbound/addresses';
import { HookClient } from '@warren/platform/outbound/hook.client';
import { QueueConnection, queuePrefix } from '@warren/platform/queue/queue.connection';
import { SecretBox } from '@warren/platform/secrets/secret.box';
import { AccountNames } from './channels/account.names.ts';
import { ChannelSecrets } from './channels/channel.secrets.ts';
import { ChannelsService } from './channels/channels.service.ts';
import { Collector } from './collecting/collector.ts';
import { Deliverer } from './delivery/deliverer.ts';
import { DeliveryPublisher } from './delivery/delivery.publisher.ts';
import { NOTIFICATIONS } from './delivery/delivery.queue.ts';
import { DeliveryWorker } from './delivery/delivery.worker.ts';
import { NotificationsService } from './delivery/notifications.service.ts';
import { NotificationsRpc } from './notifications.rpc.ts';

type Config = RedisConfig & MailConfig & { CHANNEL_KEY?: string[] | undefined; NOTIFY_PRIVATE_ADDRESSES: string[] };

/** Channels, and the delivery of notifications: rows, a queue in Redis, receivers. */
@Module({})
export class NotificationsModule {
  static forRoot(config: Config): DynamicModule {
    const mail = mailOptions(config);
    const queue = new QueueConnection(config, 'fleet');
    const { connection } = queue;
    const addresses = new Addresses({ allowed: config.NOTIFY_PRIVATE_ADDRESSES, hub: mail.hub });
    return {
      module: NotificationsModule,
      imports: [
        BullModule.forRoot({ connection, prefix: queuePrefix('fleet') }),
        BullModule.registerQueue({ name: NOTIFICATIONS }),
      ],
      providers: [
        ...[AccountNames, ChannelSecrets, ChannelsService, Collector, Deliverer],
        ...[DeliveryPublisher, DeliveryWorker, NotificationsRpc, NotificationsService],
        { provide: MAIL_OPTIONS, useValue: mail },
        { provide: QueueConnection, useValue: queue },
        { provide: Mailer, useFactory: () => new Mailer(mail) },
        { provide: SecretBox, useValue: new SecretBox(config.CHANNEL_KEY ?? []) },
        { provide: HookClient, useValue: new HookClient(addresses) },
      ],
    };
  }
}
