import { Logger, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import { HealthRegistry } from '../health/health.registry.ts';
import { databaseConnections, databasePoolMax, databaseWaiting } from '../telemetry/metrics.ts';
import { dataSourceOptions, type DatabaseOptions } from './database.options.ts';

class DatabaseHealth implements OnModuleInit {
  constructor(
    private readonly source: DataSource,
    private readonly health: HealthRegistry,
  ) {}

  onModuleInit(): void {
    const log = new Logger('Database');
    // A connection that dies while idle is the pool's to replace, not the process's to die of.
    const pool = (this.source.driver as unknown as { master: Pool }).master;
    pool.on('error', (error: Error) => log.warn(`A database connection died: ${error.message}`));
    this.health.add('postgres', async () => {
      measure(pool);
      await this.source.query('SELECT 1');
    });
  }
}

/** Before the check's own query, which takes a connection too. */
function measure(pool: Pool): void {
  databaseConnections.set({ state: 'used' }, pool.totalCount - pool.idleCount);
  databaseConnections.set({ state: 'idle' }, pool.idleCount);
  databaseWaiting.set(pool.waitingCount);
  databasePoolMax.set(pool.options.max);
}

/** PostgreSQL through TypeORM; at the start it waits for a server that is not there yet. */
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(options),
          retryAttempts: Number.MAX_SAFE_INTEGER,
          retryDelay: 500,
        }),
      ],
      providers: [
        {
          provide: DatabaseHealth,
          inject: [getDataSourceToken(), HealthRegistry],
          useFactory: (source: DataSource, health: HealthRegistry) => new DatabaseHealth(source, health),
        },
      ],
    };
  }
}
