import type { DataSourceOptions, EntitySchema } from 'typeorm';
import type { DatabaseServer } from './database.server.ts';
import { PreparingClient } from './prepared.ts';

type Class = new (...args: never[]) => object;

/** A service's schema (named by the role's search path), entities and migrations. */
export interface DatabaseOptions extends DatabaseServer {
  /** Name of the service; also the application name that PostgreSQL shows. */
  name: string;
  /** The name of the service if not given. */
  schema?: string;
  entities: (Class | EntitySchema)[];
  migrations: Class[];
}

/** Timeouts of statements and of idle transactions, by their PostgreSQL settings. */
export const TIME_LIMITS_MS = { statement_timeout: 10_000, idle_in_transaction_session_timeout: 30_000 };

/** TypeORM's options for a service. Migrations never run by themselves; `migrate.ts` of each service does. */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    applicationName: `warren-${options.name}`,
    schema: options.schema ?? options.name,
    entities: options.entities as never[],
    migrations: options.migrations as never[],
    migrationsTableName: 'migrations',
    ...(options.ca && { ssl: { ca: options.ca } }),
    poolSize: options.pool,
    synchronize: false,
    logging: false,
    extra: {
      ...TIME_LIMITS_MS,
      connectionTimeoutMillis: 3_000,
      Client: PreparingClient,
      onConnect: (client: PreparingClient) => client.prepareIfDirect(),
    },
  } as DataSourceOptions;
}

/**
 * TypeORM's options for migrations. A statement has no time limit, but waits at most 2 s for a lock: later readers and writers of
 * the table queue behind it. A busy database may take 15 s to let it in; nobody waits for its answer.
 */
export function migrationOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    ...dataSourceOptions(options),
    // Also if the role has a time limit.
    extra: { options: '-c statement_timeout=0 -c lock_timeout=2000', connectionTimeoutMillis: 15_000 },
  } as DataSourceOptions;
}
