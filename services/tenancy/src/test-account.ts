import 'reflect-metadata';
import { databaseConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { dataSourceOptions } from '@warren/platform/database/database.options';
import { writeWithEvents } from '@warren/platform/events/outbox';
import { once } from 'node:events';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { databaseOptions } from './database.ts';
import { Notes } from './installation-test/notes.ts';
import { TestAccount } from './installation-test/test-account.ts';
import { Founder } from './lifecycle/founder.ts';

/**
 * `node dist/test-account.js`: keeps the account of an installation's test while that runs beside it. Makes it and says so in
 * `account.json` of TEST_FOLDER; removes it when `finished.json` appears there, or by SIGTERM or SIGINT, and says so in `removed.json`.
 */
const config = loadConfig(databaseConfig.extend({ TEST_FOLDER: z.string().startsWith('/') }), process.env);
const source = await new DataSource(dataSourceOptions({ ...databaseOptions(config), pool: 1 })).initialize();
const account = new TestAccount({ transaction: (work) => writeWithEvents(source, work) }, new Founder());
const notes = new Notes(config.TEST_FOLDER);
const told = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => told.abort());
try {
  // Started again after it was done: there is nothing left to do.
  if (!(await notes.isThere('removed.json'))) {
    await notes.leave('account.json', await account.make());
    console.log('The account of the test is there.');
    await notes.appears('finished.json', told.signal);
  }
} finally {
  await account.remove();
  await source.destroy();
}
await notes.leave('removed.json', {});
console.log('The account of the test is gone.');
// A container that ends is started again as long as the pod is there.
const alive = setInterval(() => {}, 1 << 30);
if (!told.signal.aborted) await once(told.signal, 'abort');
clearInterval(alive);
