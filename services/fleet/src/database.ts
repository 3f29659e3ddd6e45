import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { databaseServer, type DatabaseSettings } from '@warren/platform/database/database.server';
import { CreateFleet1796158800000 } from './migrations/20261201-create-fleet.ts';

/** What fleet keeps in PostgreSQL. */
export function databaseOptions(config: DatabaseSettings): DatabaseOptions {
  return {
    name: 'fleet',
    ...databaseServer(config),
    entities: [],
    migrations: [CreateFleet1796158800000],
  };
}
