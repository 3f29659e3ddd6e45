import 'reflect-metadata';
import { create } from '@bufbuild/protobuf';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { startNats } from '@warren/infra/nats';
import { createTestDatabase, serviceUrl, type TestDatabase } from '@warren/infra/test-database';
import { commonConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { migrate } from '@warren/platform/database/migrate';
import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { userCaller, type Caller } from '@warren/platform/rpc/caller';
import { ServiceModule } from '@warren/platform/service/service.module';
import { ListEventsRequestSchema, type EventFilterSchema } from '@warren/proto/audit/v1/audit';
import { Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { appModule } from '../src/app.module.ts';
import { auditConfig } from '../src/config.ts';
import { databaseOptions } from '../src/database.ts';
import { ListService } from '../src/list/list.service.ts';
import { FileClient } from '../src/streams/delivery/file.client.ts';

/** A person of an account. */
export function person(accountId: string, role = Role.OWNER, operator = false): Caller {
  const name = `Ada ${accountId.slice(-4)}`;
  const user = { userId: uuidv7(), email: `ada.${accountId.slice(-4)}@a.example`, name, accountId, role, operator };
  return userCaller(create(UserCallerSchema, user), `request-${uuidv7()}`, {
    address: '192.0.2.7',
    userAgent: 'Firefox',
  });
}

/** An event of a person: a device got another name. */
export function renamed(caller: Caller, more: Partial<Audited> = {}): Event {
  const accountId = caller.kind.case === 'user' ? caller.kind.value.accountId : '';
  return auditEvent(caller, {
    action: 'device.rename',
    accountId,
    target: { kind: 'device', id: uuidv7(), name: 'pump-7' },
    before: { name: 'pump-6' },
    after: { name: 'pump-7' },
    ...more,
  });
}

const AUDIT_KEY = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });

/** The service with its own database, protected as in an installation, and the bus. */
export class AuditWorld {
  readonly operator = person(uuidv7(), Role.SUPER_ADMIN, true);
  app!: INestApplicationContext;
  database!: TestDatabase;
  nats!: Awaited<ReturnType<typeof startNats>>;
  /** Where recordings are kept. */
  readonly folder = mkdtempSync(join(tmpdir(), 'warren-recordings-'));
  private producer!: INestApplicationContext;
  private settings: NodeJS.ProcessEnv = {};

  /** @param settings of all processes of the service */
  static async start(settings: NodeJS.ProcessEnv = {}): Promise<AuditWorld> {
    const world = new AuditWorld();
    world.settings = settings;
    [world.database, world.nats] = await Promise.all([createTestDatabase('audit'), startNats()]);
    await migrate(databaseOptions({ DATABASE_URL: world.database.url, DATABASE_POOL: 2 }));
    await world.database.protectAudit();
    world.producer = await startProducer(world.nats.url);
    world.app = await world.replica();
    return world;
  }

  get source(): DataSource {
    return this.app.get(DataSource);
  }

  environment(): Record<string, string> {
    return {
      NODE_ENV: 'test',
      LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
      OPS_PORT: '0',
      NATS_URL: this.nats.url,
      REDIS_URL: process.env['TEST_REDIS_URL'] ?? '',
      DATABASE_URL: serviceUrl(this.database.url),
      HUB_URL: 'https://hub.example.com',
      CHANNEL_KEY: 'the-key-of-these-tests-and-of-no-others',
      NOTIFY_PRIVATE_ADDRESSES: '127.0.0.0/8',
      AUDIT_KEY: AUDIT_KEY.toString('base64'),
      RECORDINGS_FOLDER: this.folder,
    };
  }

  /** Starts another process of the service. */
  replica(settings: NodeJS.ProcessEnv = {}): Promise<INestApplicationContext> {
    const config = loadConfig(auditConfig, { ...this.environment(), ...this.settings, ...settings });
    return NestFactory.createApplicationContext(appModule(config), {
      ...(process.env['TEST_LOG'] ? {} : { logger: false }),
      abortOnError: false,
    });
  }

  /** Starts another process of the service that writes files with a client. */
  async replicaWith(files: FileClient): Promise<INestApplicationContext> {
    const config = loadConfig(auditConfig, this.environment());
    const module = Test.createTestingModule({ imports: [appModule(config)] });
    const app = await module
      .setLogger(false as never)
      .overrideProvider(FileClient)
      .useValue(files)
      .compile();
    return app.init();
  }

  /** Publishes events, as another service does. */
  async publish(...events: Event[]): Promise<void> {
    await Promise.all(events.map((event) => this.producer.get(EventBus).publish(event)));
  }

  /** What a person sees. */
  list(
    caller: Caller,
    filter: MessageInitShape<typeof EventFilterSchema> = {},
    page: { limit?: number; cursor?: string; order?: number } = {},
  ) {
    return this.app.get(ListService).list(caller, create(ListEventsRequestSchema, { filter, limit: 100, ...page }));
  }

  async ids(caller: Caller, filter: MessageInitShape<typeof EventFilterSchema> = {}): Promise<string[]> {
    return ((await this.list(caller, filter)).events ?? []).map(({ id }) => id ?? '');
  }

  /** Runs a statement as the administrator of the database. */
  async admin(sql: string): Promise<void> {
    const admin = new DataSource({ type: 'postgres', url: this.database.adminUrl });
    await admin.initialize();
    try {
      await admin.query(sql);
    } finally {
      await admin.destroy();
    }
  }

  async end(): Promise<void> {
    await this.app?.close();
    await this.producer?.close();
    await this.nats?.stop();
    await this.database?.drop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function startProducer(natsUrl: string): Promise<INestApplicationContext> {
  const config = commonConfig.parse({
    NODE_ENV: 'test',
    LOG_LEVEL: process.env['TEST_LOG'] ?? 'silent',
    OPS_PORT: 0,
    NATS_URL: natsUrl,
  });
  class ProcessModule {}
  Module({ imports: [ServiceModule.forRoot({ name: 'devices', config })] })(ProcessModule);
  return NestFactory.createApplicationContext(ProcessModule, {
    ...(process.env['TEST_LOG'] ? {} : { logger: false }),
    abortOnError: false,
  });
}
