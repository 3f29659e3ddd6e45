import 'reflect-metadata';
import { loadConfig } from '@warren/platform/config/load';
import { dataSourceOptions } from '@warren/platform/database/database.options';
import { writeWithEvents, type EventfulTransactions } from '@warren/platform/events/outbox';
import { readFile } from 'node:fs/promises';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { BootstrapService } from './bootstrap/bootstrap.service.ts';
import { tenancyConfig } from './config.ts';
import { databaseOptions } from './database.ts';
import { Founder } from './lifecycle/founder.ts';
import { peopleSchema } from './seeding/people.ts';
import { SeedService } from './seeding/seed.service.ts';

/** `node dist/seed.js people.json`: creates the missing accounts and users of a file. */
const unused = { NATS_URL: true, REDIS_URL: true, SMTP_URL: true, HUB_URL: true } as const;
const config = loadConfig(tenancyConfig.partial(unused), process.env);
const file = process.argv[2];
if (!file) {
  console.error('usage: node dist/seed.js people.json');
  process.exit(2);
}
const people = peopleSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
if (!people.success) {
  console.error(`${file} is not usable.\n${z.prettifyError(people.error)}`);
  process.exit(2);
}
const source = await new DataSource(dataSourceOptions({ ...databaseOptions(config), pool: 2 })).initialize();
try {
  const founder = new Founder();
  const outbox: EventfulTransactions = { transaction: (work) => writeWithEvents(source, work) };
  const operator = { email: config.OPERATOR_EMAIL, account: config.OPERATOR_ACCOUNT };
  await new BootstrapService(outbox, founder, operator).ensure();
  const made = await new SeedService(outbox, founder).seed(people.data);
  console.log(JSON.stringify(made));
} finally {
  await source.destroy();
}
