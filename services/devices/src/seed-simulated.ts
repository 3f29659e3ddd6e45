import 'reflect-metadata';
import { databaseConfig } from '@warren/platform/config/common';
import { loadConfig } from '@warren/platform/config/load';
import { dataSourceOptions } from '@warren/platform/database/database.options';
import { simulatedDevice } from '@warren/platform/scale/simulated';
import { parseArgs } from 'node:util';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { databaseOptions } from './database.ts';

const BATCH = 1_000;
const MAX_DEVICES = 100_000;

/**
 * `node dist/seed-simulated.js --account <id> --count <n>`: enrols the devices that the simulator plays into an account that
 * is there. SIMULATION_SECRET is what their keys follow from; devices that are there get the keys of this secret.
 */
const { values } = parseArgs({ options: { account: { type: 'string' }, count: { type: 'string' } } });
const { account, count, SIMULATION_SECRET } = loadConfig(
  z.object({
    account: z.uuid(),
    count: z.coerce.number().int().min(1).max(MAX_DEVICES),
    SIMULATION_SECRET: z.string().min(24),
  }),
  { ...process.env, ...values },
);
const options = databaseOptions({ ...loadConfig(databaseConfig, process.env), DATABASE_POOL: 1 });
const source = await new DataSource(dataSourceOptions(options)).initialize();
try {
  const [known] = await source.query<{ name: string }[]>('SELECT name FROM accounts WHERE id = $1', [account]);
  if (!known) throw new Error(`There is no account ${account} (yet).`);
  for (let from = 1; from <= count; from += BATCH) await enrol(known.name, from, Math.min(from + BATCH - 1, count));
  console.log(`${count} simulated devices are enrolled in ${known.name}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await source.destroy();
}

async function enrol(accountName: string, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const devices = numbers.map((n) => simulatedDevice(SIMULATION_SECRET, n));
  const ids = devices.map(({ id }) => id);
  await source.transaction(async (manager) => {
    await manager.query(
      `INSERT INTO devices (id, account_id, account_name, serial, slug, name)
       SELECT id, $1, $2, 'simulated-' || n, 'simulated-' || n, 'simulated-' || n
       FROM unnest($3::uuid[], $4::int[]) AS device (id, n) ON CONFLICT DO NOTHING`,
      [account, accountName, ids, numbers],
    );
    await manager.query(
      `INSERT INTO device_keys (device_id, public_key) SELECT * FROM unnest($1::uuid[], $2::bytea[])
       ON CONFLICT (device_id) DO UPDATE SET public_key = EXCLUDED.public_key`,
      [ids, devices.map((device) => Buffer.from(device.public))],
    );
  });
}
