import 'reflect-metadata';
import { databaseConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { migrate } from '@warren/platform/database/migrate';
import { guarded } from '@warren/platform/service/guarded';
import { databaseOptions } from './database.ts';

const ran = await guarded(async () =>
  migrate(databaseOptions(loadConfig(databaseConfig, process.env)), { log: (text) => console.log(`audit: ${text}`) }),
);
console.log(ran.length > 0 ? `audit: ran ${ran.join(', ')}` : 'audit: up to date');
