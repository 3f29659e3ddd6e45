import 'reflect-metadata';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MailServer } from '@warren/infra/mail';
import { startNats } from '@warren/infra/nats';
import { addRedisUser } from '@warren/infra/redis';
import { until } from '@warren/infra/until';
import { createTestDatabase, serviceUrl, type TestDatabase } from '@warren/infra/test-database';
import { commonConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { migrate } from '@warren/platform/database/migrate';
import { Fault } from '@warren/platform/errors/fault';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import type { Caller } from '@warren/platform/rpc/caller';
import { redisRules } from '@warren/platform/rights/redis.rights';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { ServiceModule } from '@warren/platform/service/service.module';
import {
  ChannelKind,
  CreateChannelRequestSchema,
  ChannelSchema,
  ListNotificationsRequestSchema,
  UpdateChannelRequestSchema,
} from '@warren/proto/fleet/v1/notifications';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { appModule } from '../src/app.module.ts';
import { fleetConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';
import { ChannelsService } from '../src/notifications/channels/channels.service.ts';
import { Collector } from '../src/notifications/collecting/collector.ts';
import type { AlertChange } from '../src/notifications/collecting/collector.sql.ts';
import { DeliveryPublisher } from '../src/notifications/delivery/delivery.publisher.ts';
import { NotificationsService } from '../src/notifications/delivery/notifications.service.ts';
import { HookServer } from '@warren/infra/hook-server';

export const CHANNEL_KEY = 'the-key-of-these-tests-and-of-no-others';
export const MINUTE = 60_000;

/** What tenancy answers: the name of each account of the map. */
async function startTenancy(natsUrl: string, names: Map<string, string>): Promise<INestApplicationContext> {
  const config = commonConfig.parse({ NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: 0, NATS_URL: natsUrl });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'tenancy', config })] })(ProcessModule);
  const app = await NestFactory.create(ProcessModule, { logger: false, abortOnError: false });
  const handlers: Partial<RpcHandlers<typeof TenancyService>> = {
    getAccount: async (_caller, { id }) => {
      const name = names.get(id);
      if (name === undefined) throw new Fault('not_found', `account ${id}.`);
      return { account: { id, name } };
    },
  };
  app.get(RpcServer).serve(TenancyService, handlers as RpcHandlers<typeof TenancyService>);
  return app.init();
}

/** The fleet service with receivers of notifications: a mail server, and one of webhooks. */
export class NotifyWorld {
  readonly names = new Map<string, string>();
  readonly heard: Event[] = [];
  app!: INestApplicationContext;
  hooks!: HookServer;
  mail!: MailServer;
  tenancy!: INestApplicationContext;
  private readonly replicas: INestApplicationContext[] = [];
  private database!: TestDatabase;
  private nats!: Awaited<ReturnType<typeof startNats>>;

  static async start(): Promise<NotifyWorld> {
    const world = new NotifyWorld();
    [world.database, world.nats, world.hooks, world.mail] = await Promise.all([
      createTestDatabase('fleet'),
      startNats(),
      new HookServer().start(),
      new MailServer().start(),
    ]);
    await migrate(databaseOptions({ DATABASE_URL: world.database.url, DATABASE_POOL: 2 }));
    world.tenancy = await startTenancy(world.nats.url, world.names);
    world.tenancy.get(EventBus).listen((event) => world.heard.push(event));
    world.app = await world.replica();
    return world;
  }

  /** Starts another process of the service. */
  async replica(settings: NodeJS.ProcessEnv = {}): Promise<INestApplicationContext> {
    const rules = redisRules('fleet');
    const config = loadConfig(fleetConfig, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      OPS_PORT: '0',
      NATS_URL: this.nats.url,
      DATABASE_URL: serviceUrl(this.database.url),
      REDIS_URL: await addRedisUser(process.env['TEST_REDIS_URL'] ?? '', { name: 'fleet', rules }),
      HUB_URL: 'https://hub.test',
      SMTP_URL: this.mail.url,
      CHANNEL_KEY,
      NOTIFY_PRIVATE_ADDRESSES: '127.0.0.1/32',
      ...settings,
    });
    const app = await NestFactory.createApplicationContext(appModule(config), { logger: false, abortOnError: false });
    this.replicas.push(app);
    return app;
  }

  get source(): DataSource {
    return this.app.get(DataSource);
  }

  get channels(): ChannelsService {
    return this.app.get(ChannelsService);
  }

  get notifications(): NotificationsService {
    return this.app.get(NotificationsService);
  }

  /** Adds an account to tenancy. */
  account(name = 'Acme'): string {
    const id = uuidv7();
    this.names.set(id, name);
    return id;
  }

  /** Creates a channel; if not otherwise said, a webhook on a path that it shares with nothing. */
  async channel(caller: Caller, init: MessageInitShape<typeof ChannelSchema> = {}) {
    const path = `/${uuidv7()}`;
    const channel = create(ChannelSchema, {
      name: path.slice(1),
      kind: ChannelKind.WEBHOOK,
      target: { url: `${this.hooks.url}${path}` },
      afterMinutes: 0,
      minSeverity: 'info',
      recovery: true,
      enabled: true,
      ...init,
    } as MessageInitShape<typeof ChannelSchema>);
    const answer = await this.channels.create(caller, create(CreateChannelRequestSchema, { channel }));
    return { id: answer.channel?.id ?? '', path, secret: answer.secret ?? '', channel: answer.channel };
  }

  async change(caller: Caller, init: MessageInitShape<typeof UpdateChannelRequestSchema>) {
    return (await this.channels.update(caller, create(UpdateChannelRequestSchema, init))).channel;
  }

  async list(caller: Caller, init: MessageInitShape<typeof ListNotificationsRequestSchema> = {}) {
    const request = create(ListNotificationsRequestSchema, init);
    return (await this.notifications.list(caller, request)).notifications;
  }

  /** Writes a change as the alerts do. */
  async alerts(accountId: string, init: Partial<AlertChange> = {}): Promise<AlertChange> {
    const alertId = uuidv7();
    const change: AlertChange = {
      id: uuidv7(),
      account_id: accountId,
      rule_id: uuidv7(),
      kind: 'opened',
      alert_ids: [alertId],
      count: 1,
      severity: 'warning',
      rule_name: 'Disk almost full',
      examples: [{ alertId, deviceId: uuidv7(), deviceName: 'kiosk-7', detail: 'disk 93 %' }],
      created_at: new Date(),
      ...init,
    };
    await this.source.query(
      `INSERT INTO alert_changes (id, account_id, rule_id, kind, alert_ids, count, severity, rule_name, examples, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        ...[change.id, change.account_id, change.rule_id, change.kind, change.alert_ids, change.count, change.severity],
        ...[change.rule_name, JSON.stringify(change.examples), change.created_at],
      ],
    );
    return change;
  }

  /** Makes the messages that are due then. The service's own rounds may be at it, one at a time. */
  async collect(at: Date = new Date(Date.now() + MINUTE)): Promise<void> {
    await until(async () => {
      await this.app.get(Collector).round(at);
      const [left] = await this.source.query<{ n: number }[]>(
        `SELECT ((SELECT count(*) FROM alert_changes WHERE taken_at IS NULL) +
           (SELECT count(*) FROM notification_changes WHERE due_at <= $1))::int AS n`,
        [at],
      );
      return left?.n === 0;
    });
  }

  /** As if all attempts were due, and none were taken. */
  async due(): Promise<void> {
    await this.source.query(
      `UPDATE notifications SET next_attempt = now() - interval '1 second', leased_until = NULL WHERE state = 'waiting'`,
    );
    await this.app.get(DeliveryPublisher).now();
  }

  async end(): Promise<void> {
    for (const app of this.replicas) await app.close();
    await this.tenancy?.close();
    await this.nats?.stop();
    await this.hooks?.stop();
    await this.mail?.stop();
    await this.database?.drop();
  }
}
