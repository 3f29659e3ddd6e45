import { setTimeout as wait } from 'node:timers/promises';
import { withClient } from '@warren/infra/provision';
import { operatorEmail } from '@warren/local/people';
import { migrate } from '@warren/platform/database/migrate';
import { createIndex, inBatches, OnlineMigration } from '@warren/platform/database/online';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { signIn, type Hub } from '../hub.ts';
import type { Bench } from '../lab.ts';
import { percentile } from '../stats.ts';
import type { Row } from '../table.ts';
import { fill } from './lists.ts';

const ROWS = 5_000_000;
/** Number of concurrent people, who each wait for a response before the next call. */
const PEOPLE = 4;
const THINK_MS = 20;
const QUIET_MS = 30_000;
const LEAST_MS = 10_000;
/** Limit of the 99th percentile of calls during a migration, in milliseconds. */
const BAR_MS = 200;

/** Plausible migrations of the service's largest table. */
class AddCause4102444800001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_history ADD COLUMN cause text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_history DROP COLUMN IF EXISTS cause');
  }
}

class FillCause4102444800002 extends OnlineMigration {
  async up(runner: QueryRunner): Promise<void> {
    await inBatches(
      runner,
      { table: 'device_history' },
      'UPDATE device_history SET cause = actor || detail WHERE id BETWEEN $1 AND $2 AND cause IS NULL',
    );
    await createIndex(runner, 'device_history_by_cause', 'ON device_history (cause, at DESC, id DESC)');
  }

  async down(): Promise<void> {}
}

class RequireCause4102444800003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE device_history ADD CONSTRAINT cause_is_short CHECK (length(cause) < 500) NOT VALID',
    );
  }

  async down(): Promise<void> {}
}

class ValidateCause4102444800004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE device_history VALIDATE CONSTRAINT cause_is_short');
  }

  async down(): Promise<void> {}
}

const STEPS = [
  ['a column', AddCause4102444800001],
  [`${ROWS / 1_000_000} million rows in batches, an index`, FillCause4102444800002],
  ['a constraint, not valid yet', RequireCause4102444800003],
  ['its validation', ValidateCause4102444800004],
] as const;

/** A row for each device of the lists, at a time within the retention of history. */
const FILL = `
  INSERT INTO device_history (at, account_id, device_id, kind, device_name)
  SELECT now() - random() * interval '100 hours', account_id, id, $1, name FROM devices WHERE slug LIKE 'scale-%'`;

const UNDO = [
  'DROP INDEX IF EXISTS device_history_by_cause',
  'ALTER TABLE device_history DROP COLUMN IF EXISTS cause',
  `DELETE FROM migrations WHERE timestamp >= 4102444800000`,
];

/** Fills the table, and reverts an earlier run. @returns ids of some devices */
async function prepare(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    await client.query('SET statement_timeout = 0');
    for (const statement of UNDO) await client.query(statement);
    const { rows: counted } = await client.query<{ count: number }>('SELECT count(*)::int FROM device_history');
    const { rows: of } = await client.query<{ count: number }>(
      `SELECT count(*)::int FROM devices WHERE slug LIKE 'scale-%'`,
    );
    const [have = 0, devices = 1] = [counted[0]?.count, of[0]?.count];
    const each = Math.ceil((ROWS - have) / devices);
    for (let turn = 0; turn < each; turn++) await client.query(FILL, [1 + (turn % 2)]);
    await client.query('VACUUM ANALYZE device_history');
    const { rows } = await client.query<{ id: string }>(`SELECT id FROM devices WHERE slug LIKE 'scale-%' LIMIT 1000`);
    return rows.map(({ id }) => id);
  });
}

/** Measures calls of people during `work`. */
async function during(hub: Hub, ids: readonly string[], name: string, work: () => Promise<unknown>): Promise<Row> {
  const calls = load(hub, ids);
  const begun = performance.now();
  let seconds = 0;
  const worked = work().then(() => (seconds = (performance.now() - begun) / 1_000));
  // A brief step needs enough calls for a 99th percentile.
  await Promise.all([worked, wait(LEAST_MS)]).finally(calls.end);
  const { times } = calls;
  return {
    name,
    values: [seconds, times.length, percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)],
  };
}

/** Measures calls of people until aborted. @returns milliseconds of each call */
function load(hub: Hub, ids: readonly string[]): { times: number[]; end: () => Promise<void> } {
  const times: number[] = [];
  let on = true;
  const pick = () => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const calls = [
    () => hub.get('/api/devices?sort=name'),
    () => hub.get('/api/activity?limit=20'),
    () => hub.get(`/api/devices/${pick()}`),
    () => hub.send('PUT', '/api/devices/change_hostname', { id: pick(), custom_name: `Renamed ${Date.now() % 1_000}` }),
  ];
  const person = async (turn: number): Promise<void> => {
    for (let call = turn; on; call++) {
      const begun = performance.now();
      await calls[call % calls.length]?.();
      times.push(performance.now() - begun);
      await wait(THINK_MS);
    }
  };
  const all = Promise.all(Array.from({ length: PEOPLE }, (_, turn) => person(turn)));
  return {
    times,
    end: async () => {
      on = false;
      await all;
    },
  };
}

/** Measures migrations of a table of millions of rows in use. */
export const migrations: Bench = {
  run: async (lab) => {
    const product = await lab.own('migrations', { agent: false });
    await fill(product);
    const url = product.databases['devices'] ?? '';
    const ids = await prepare(url);
    const hub = await signIn(product.urls.hub, operatorEmail);
    await during(hub, ids, 'warm', () => wait(QUIET_MS / 3));
    const rows = [await during(hub, ids, 'no migration', () => wait(QUIET_MS))];
    for (const [name, migration] of STEPS) {
      const options = { name: 'devices', url, pool: 2, entities: [], migrations: [migration] };
      rows.push(await during(hub, ids, name, () => migrate(options)));
    }
    const slow = rows.filter(({ values: [, , , p99 = 0] }) => p99 > BAR_MS).map(({ name }) => name);
    const verdict = slow.length > 0 ? `Over ${BAR_MS} ms: ${slow.join(', ')}.` : `Every p99 is under ${BAR_MS} ms.`;
    return [
      {
        title: `Calls of ${PEOPLE} people while ${ROWS / 1_000_000} million rows are migrated`,
        notes: [verdict, 'A list, what happened lately, a device, and a new name for one, in turn.'],
        head: ['takes, s', 'calls', 'p50, ms', 'p99, ms', 'longest, ms'],
        rows,
        ratio: false,
      },
    ];
  },
};
