import type { DatabaseOptions } from '@warren/platform/database/database.options';
import { AuditEntity } from './audit/audit.entity.ts';
import { IdentityEntity } from './identities/identity.entity.ts';
import { CreateIdentity1795132800000 } from './migrations/20261120-create-identity.ts';

/** What identity keeps in PostgreSQL. */
export function databaseOptions(config: { DATABASE_URL: string; DATABASE_POOL: number }): DatabaseOptions {
  return {
    name: 'identity',
    url: config.DATABASE_URL,
    pool: config.DATABASE_POOL,
    entities: [IdentityEntity, AuditEntity],
    migrations: [CreateIdentity1795132800000],
  };
}
