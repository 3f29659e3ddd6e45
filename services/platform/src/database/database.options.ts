import type { DataSourceOptions, EntitySchema } from 'typeorm';
import type { DatabaseServer } from './database.server.ts';

type Class = new (...args: never[]) => object;

/** What a service keeps in PostgreSQL: its own schema (the role's search path names it), entities and migrations. */
export interface DatabaseOptions extends DatabaseServer {
  /** Name of the service; also the application name that PostgreSQL shows. */
  name: string;
  entities: (Class | EntitySchema)[];
  migrations: Class[];
}

/** TypeORM's options for a service. Migrations never run by themselves; `migrate.ts` of each service does. */
export function dataSourceOptions(options: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    applicationName: `warren-${options.name}`,
    schema: options.name,
    entities: options.entities as never[],
    migrations: options.migrations as never[],
    migrationsTableName: 'migrations',
    ...(options.ca && { ssl: { ca: options.ca } }),
    poolSize: options.pool,
    synchronize: false,
    logging: false,
    extra: { statement_timeout: 10_000, connectionTimeoutMillis: 3_000, idle_in_transaction_session_timeout: 30_000 },
  } as DataSourceOptions;
}
