import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { databaseServer, type DatabaseSettings } from '@warren/platform/database/database.server';
import { IdentityEntity } from './identities/identity.entity.ts';
import { CreateIdentity1795132800000 } from './migrations/20261120-create-identity.ts';

/** Identity's schema in PostgreSQL. */
export function databaseOptions(config: DatabaseSettings): DatabaseOptions {
  return {
    name: 'identity',
    ...databaseServer(config),
    entities: [IdentityEntity],
    migrations: [CreateIdentity1795132800000],
  };
}
