import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNats } from '@warren/infra/nats';
import { ask, freePort } from '@warren/infra/ports';
import { withClient } from '@warren/infra/provision';
import type { Server } from '@warren/infra/server';
import type { Warren } from '@warren/local/warren';

/** What the servers behind the hub have done so far, and what they hold. */
export interface Served {
  redisKeys: number;
  redisBytes: number;
  redisCommands: number;
  natsMessages: number;
  natsBytes: number;
  transactions: number;
  /** Of PostgreSQL's log, which is what it writes before all else. */
  walBytes: number;
}

/** A NATS that tells its counters, without users; the address of a Warren's NATS and of the counters. */
export async function startCountedNats(
  folder: string,
): Promise<Pick<Server, 'url' | 'pid' | 'stop'> & { counters: string }> {
  const port = await freePort('127.0.0.1');
  const file = join(folder, 'nats.conf');
  await writeFile(file, `http: "127.0.0.1:${port}"\n`);
  const nats = await startNats({}, { file });
  return { url: nats.url, pid: nats.pid, counters: `http://127.0.0.1:${port}/varz`, stop: () => nats.stop() };
}

async function redis(port: number): Promise<{ keys: number; bytes: number; commands: number }> {
  const [size, info] = await Promise.all([
    ask('127.0.0.1', port, 'DBSIZE\r\n'),
    ask('127.0.0.1', port, 'INFO memory stats\r\n'),
  ]);
  const figure = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1]);
  return {
    keys: Number(/^:(\d+)/.exec(size)?.[1]),
    bytes: figure('used_memory'),
    commands: figure('total_commands_processed'),
  };
}

export async function served(warren: Warren, counters: string): Promise<Served> {
  const { in_msgs: natsMessages, in_bytes: natsBytes } = (await (await fetch(counters)).json()) as Record<
    'in_msgs' | 'in_bytes',
    number
  >;
  const { keys, bytes, commands } = await redis(warren.settings.ports.redis);
  const { rows } = await withClient(warren.databases['devices'] ?? '', (client) =>
    client.query<{ done: string; wal: string }>(
      `SELECT sum(xact_commit + xact_rollback) AS done, pg_current_wal_lsn() - '0/0' AS wal
       FROM pg_stat_database WHERE datname = current_database()`,
    ),
  );
  const [{ done, wal } = { done: '', wal: '' }] = rows;
  return {
    redisKeys: keys,
    redisBytes: bytes,
    redisCommands: commands,
    natsMessages,
    natsBytes,
    transactions: Number(done),
    walBytes: Number(wal),
  };
}
