import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { simulatedDevice } from './simulated.ts';

const BATCH = 1_000;
const LOOKS = 50;
const LOOK_EVERY_MS = 200;

/** Devices to enrol. */
export interface Fleet {
  /** Id of an existing account. */
  account: string;
  count: number;
  /** The devices' keys are derived from it; existing devices get these keys too. */
  secret: string;
}

/**
 * Enrols the devices that the simulator plays.
 * @param url of the database, as the devices service has it
 * @throws Error without such an account
 */
export async function enrolSimulated(url: string, { account, count, secret }: Fleet): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const name = await nameOf(client, account);
    for (let from = 1; from <= count; from += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, index) => from + index);
      await enrol(client, { id: account, name }, secret, numbers);
    }
  } finally {
    await client.end();
  }
}

/** The devices service learns of a new account by an event. */
async function nameOf(client: pg.Client, account: string): Promise<string> {
  for (let attempt = 0; attempt < LOOKS; attempt++) {
    const { rows } = await client.query<{ name: string }>('SELECT name FROM accounts WHERE id = $1', [account]);
    if (rows[0]) return rows[0].name;
    await wait(LOOK_EVERY_MS);
  }
  throw new Error(`There is no account ${account}.`);
}

async function enrol(
  client: pg.Client,
  account: { id: string; name: string },
  secret: string,
  numbers: number[],
): Promise<void> {
  const devices = numbers.map((n) => simulatedDevice(secret, n));
  const ids = devices.map(({ id }) => id);
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO devices (id, account_id, account_name, serial, slug, name)
     SELECT id, $1, $2, 'simulated-' || n, 'simulated-' || n, 'simulated-' || n
     FROM unnest($3::uuid[], $4::int[]) AS device (id, n) ON CONFLICT DO NOTHING`,
    [account.id, account.name, ids, numbers],
  );
  await client.query(
    `INSERT INTO device_keys (device_id, public_key) SELECT * FROM unnest($1::uuid[], $2::bytea[])
     ON CONFLICT (device_id) DO UPDATE SET public_key = EXCLUDED.public_key`,
    [ids, devices.map((device) => Buffer.from(device.public))],
  );
  await client.query('COMMIT');
}
