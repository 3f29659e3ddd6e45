import { setTimeout as wait } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { isLocked } from './database.fault.ts';
import { ConfigError } from '../config/load.ts';
import { migrationOptions, TIME_LIMITS_MS, type DatabaseOptions } from './database.options.ts';

/** One advisory lock key for every service: concurrent migrations are serialised. */
const LOCK = 0x57415252;
const LOOK_MS = 250;
/** PgBouncer's error for an unknown startup parameter. */
const PROTOCOL_VIOLATION = '08P01';
/** How long to retry a table in use, with pauses for its readers and writers. */
const PATIENCE_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/** Shorter in tests. */
export interface Pace {
  patienceMs?: number;
  firstPauseMs?: number;
  /** Logs what the migration waits for. */
  log?: (text: string) => void;
}

/**
 * Brings a service's schema up to date. Safe to repeat, from several processes, and while the services run: a statement waits at most
 * 2 s for a lock, since other users of the table queue behind it, and is retried. Each migration is a transaction; those before a
 * failed one stay. Gives the role the services' time limits, which a pooler does not pass on.
 * @param options address of PostgreSQL itself: a pooler would break the serialisation
 * @returns the names of the migrations that ran
 * @throws ConfigError if the address leads to a pooler
 * @throws QueryFailedError of the migration that failed, or whose table was in use for 10 minutes
 */
export async function migrate(options: DatabaseOptions, pace: Pace = {}): Promise<string[]> {
  const source = await connect(options);
  const lock = source.createQueryRunner();
  try {
    await becomeOnly(lock, pace);
    await limitRole(lock);
    const pending = await new MigrationExecutor(source).getPendingMigrations();
    await untilFree(() => source.runMigrations({ transaction: 'each' }), pace);
    return pending.map(({ name }) => name);
  } finally {
    await lock.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    await lock.release();
    await source.destroy();
  }
}

/** @throws ConfigError for a connection that ignored the requested options */
async function connect(options: DatabaseOptions): Promise<DataSource> {
  const { host } = new URL(options.url);
  const pooled = `DATABASE_URL: expected the address of PostgreSQL itself for migrations; ${host} is a pooler such as PgBouncer`;
  const source = new DataSource(migrationOptions({ ...options, pool: 2 }));
  await source.initialize().catch((error: { code?: string; message?: string }) => {
    const refused = error.code === PROTOCOL_VIOLATION && error.message?.includes('startup parameter');
    throw refused ? new ConfigError(pooled, { cause: error }) : error;
  });
  const [row] = (await source.query('SHOW lock_timeout')) as { lock_timeout: string }[];
  if (row?.lock_timeout === '2s') return source;
  await source.destroy();
  throw new ConfigError(pooled);
}

/**
 * How PostgreSQL plans. To compile a statement takes longer than to run it, and its costs count branches that are not read; to start workers
 * takes 10 ms, which is worth it for millions of rows.
 */
const PLANS = { jit: 'off', parallel_setup_cost: 10_000 };

/**
 * Sets how statements are planned, and what `dataSourceOptions` asks for with each connection. A role that acts as another one may not;
 * docs/operations/rotate-secrets.md shows what it needs.
 */
async function limitRole(runner: QueryRunner): Promise<void> {
  const database = await nameOfDatabase(runner);
  const settings = Object.entries({ ...TIME_LIMITS_MS, ...PLANS });
  for (const [name, value] of settings)
    await runner.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = ${value}`);
}

async function nameOfDatabase(runner: QueryRunner): Promise<string> {
  const [row] = (await runner.query('SELECT quote_ident(current_database()) AS name')) as { name: string }[];
  return row?.name ?? '';
}

/** Waits until no other process migrates. */
async function becomeOnly(lock: QueryRunner, { log = () => {} }: Pace): Promise<void> {
  for (let looks = 0; ; looks++) {
    const [row] = (await lock.query('SELECT pg_try_advisory_lock($1) AS held', [LOCK])) as { held: boolean }[];
    if (row?.held) return;
    if (looks === 0) log('Waiting for another process that migrates.');
    await wait(LOOK_MS);
  }
}

/** Retries while a lock times out, with exponential backoff and jitter. */
async function untilFree(run: () => Promise<unknown>, pace: Pace): Promise<void> {
  const { patienceMs = PATIENCE_MS, firstPauseMs = FIRST_PAUSE_MS, log = () => {} } = pace;
  const end = performance.now() + patienceMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      await run();
      return;
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
      log(`A table is in use; trying again in about ${pauseMs} ms.`);
      await wait(pauseMs * (0.5 + Math.random() / 2));
    }
  }
}
