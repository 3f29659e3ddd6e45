import { Logger, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { HealthRegistry } from '../health/health.registry.ts';
import { databaseConnections, databasePoolMax, databaseWaiting, schemaMigrations } from '../telemetry/metrics.ts';
import { dataSourceOptions, type DatabaseOptions } from './database.options.ts';

/** A schema changes while processes run: `migrate` runs before their new version starts. */
const COMPARE_EVERY_MS = 30_000;

class DatabaseHealth implements OnModuleInit {
  private compareAt = 0;

  constructor(
    private readonly source: DataSource,
    private readonly health: HealthRegistry,
    private readonly component: string,
  ) {}

  onModuleInit(): void {
    const log = new Logger('Database');
    // The pool replaces a connection that breaks while idle; the error must not crash the process.
    const pool = (this.source.driver as unknown as { master: Pool }).master;
    pool.on('error', (error: Error) => log.warn({ reason: error.message }, 'A database connection died.'));
    this.health.add('postgres', async () => {
      measure(this.component, pool);
      await this.source.query('SELECT 1');
      if (performance.now() < this.compareAt) return;
      this.compareAt = performance.now() + COMPARE_EVERY_MS;
      // Whether the database answers does not depend on what can be compared.
      await compareSchema(this.component, this.source).catch(() => {});
    });
  }
}

/** Measures by which migrations the code and the schema differ. */
async function compareSchema(component: string, source: DataSource): Promise<void> {
  const known = source.migrations.map(({ name, constructor }) => name ?? constructor.name);
  const rows = await source.query<{ name: string }[]>('SELECT name FROM migrations');
  const ran = rows.map(({ name }) => name);
  schemaMigrations.set({ component, state: 'pending' }, known.filter((name) => !ran.includes(name)).length);
  schemaMigrations.set({ component, state: 'unknown' }, ran.filter((name) => !known.includes(name)).length);
}

/** Before the check's own query, which takes a connection too. */
function measure(component: string, pool: Pool): void {
  databaseConnections.set({ component, state: 'used' }, pool.totalCount - pool.idleCount);
  databaseConnections.set({ component, state: 'idle' }, pool.idleCount);
  databaseWaiting.set({ component }, pool.waitingCount);
  databasePoolMax.set({ component }, pool.options.max);
}

/** Of data sources, which need different names where several services share a process. */
let made = 0;

/** PostgreSQL through TypeORM; waits at the start for a server that is not up yet. */
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    const name = `warren-${++made}`;
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(options),
          name,
          retryAttempts: Number.MAX_SAFE_INTEGER,
          retryDelay: 500,
        }),
      ],
      providers: [
        { provide: DataSource, useExisting: getDataSourceToken(name) },
        {
          provide: DatabaseHealth,
          inject: [DataSource, HealthRegistry],
          useFactory: (source: DataSource, health: HealthRegistry) => new DatabaseHealth(source, health, options.name),
        },
      ],
      exports: [DataSource],
    };
  }
}
