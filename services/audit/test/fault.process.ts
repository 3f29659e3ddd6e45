/**
 * A process that kills itself with SIGKILL at a step between a change and its stored event. Run by Node itself, on what was compiled:
 * `node fault.process.ts producer|recorder STEP`.
 */
import 'reflect-metadata';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { commonConfig, databaseConfig } from '@warren/platform/config/common';
import { DatabaseModule } from '@warren/platform/database/database.module';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { OutboxEntity } from '@warren/platform/events/outbox.entity';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { ServiceModule } from '@warren/platform/service/service.module';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

/** By its address at run time: this file is compiled with the tests, the service without them. */
const SERVICE = new URL('../dist/service.js', import.meta.url).href;
const [role = '', step = 'none'] = process.argv.slice(2);
const die = () => process.kill(process.pid, 'SIGKILL');

/** Changes that a producer makes, each with its event, before it is killed. */
const CHANGES = 20;
const KILLED_AT = 12;

async function produce(): Promise<void> {
  const environment = { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: '0' };
  const config = { ...commonConfig.parse(environment), ...databaseConfig.parse(environment) };
  class ProcessModule {}
  const database = { name: 'devices', url: config.DATABASE_URL, pool: 4, entities: [OutboxEntity], migrations: [] };
  const imports = [
    ServiceModule.forRoot({ name: 'devices', config, outbox: Outbox }),
    DatabaseModule.forRoot(database),
  ];
  Module({ imports })(ProcessModule);
  const app = await NestFactory.createApplicationContext(ProcessModule, { logger: false, abortOnError: false });
  killPublisher(app);
  const outbox = app.get(Outbox);
  for (let made = 1; step !== 'none' && made <= CHANGES; made++) await change(outbox, made);
}

async function change(outbox: Outbox, made: number): Promise<void> {
  const id = uuidv7();
  await outbox.transaction(async (manager, emit) => {
    await manager.query('INSERT INTO changes (id) VALUES ($1)', [id]);
    const accountId = process.env['ACCOUNT'] ?? '';
    emit(auditEvent(serviceCaller('devices'), { action: 'device.rename', accountId, target: { kind: 'device', id } }));
    if (step === 'before the commit' && made === KILLED_AT) die();
  });
  if (step === 'after the commit' && made === KILLED_AT) die();
}

function killPublisher(app: INestApplicationContext): void {
  const bus = app.get(EventBus);
  const publish = bus.publishBytes.bind(bus);
  let published = 0;
  bus.publishBytes = async (...event) => {
    const last = ++published === KILLED_AT;
    if (last && step === 'before it is published') die();
    await publish(...event);
    if (last && step === 'before it leaves the outbox') die();
  };
}

async function record(): Promise<void> {
  const { audit } = (await import(SERVICE)) as {
    audit: { prepare(env: NodeJS.ProcessEnv): { start(): Promise<INestApplicationContext> } };
  };
  if (step === 'before the store commits' || step === 'before it is acknowledged') killStore();
  const settings = { NODE_ENV: 'test', LOG_LEVEL: 'silent', OPS_PORT: '0', HUB_URL: 'https://hub.example.com' };
  await audit.prepare({ ...process.env, ...settings }).start();
}

function killStore(): void {
  const transaction = DataSource.prototype.transaction as (...args: unknown[]) => Promise<unknown>;
  DataSource.prototype.transaction = async function (this: DataSource, ...args: unknown[]) {
    const work = args.at(-1) as (manager: { query(sql: string): Promise<unknown[]> }) => Promise<unknown>;
    let stored = false;
    const value = await transaction.call(
      this,
      ...args.slice(0, -1),
      async (manager: { query(sql: string): Promise<unknown[]> }) => {
        const before = await manager.query('SELECT count(*)::int AS n FROM events');
        const result = await work(manager);
        const after = await manager.query('SELECT count(*)::int AS n FROM events');
        stored = JSON.stringify(before) !== JSON.stringify(after);
        if (stored && step === 'before the store commits') die();
        return result;
      },
    );
    if (stored) die();
    return value;
  } as typeof DataSource.prototype.transaction;
}

await (role === 'producer' ? produce() : record());
