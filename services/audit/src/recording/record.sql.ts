import { prepared } from '@warren/platform/database/prepared';
import type { Sql } from '@warren/platform/database/sql';
import type { Checkpoint, Place } from '../chain/chain.ts';
import type { Derived, EventRow } from './row.ts';

/** A row with its place in the chain. */
export interface PlacedRow extends EventRow, Derived, Place {}

const SELECT_CHAINS = prepared(`
  SELECT account_id AS "accountId", sequence, hash FROM chains WHERE account_id = ANY($1::uuid[])
  ORDER BY account_id FOR UPDATE`);

const CREATE_CHAINS = prepared(`
  INSERT INTO chains (account_id, hash, time)
  SELECT account_id, decode(hash, 'hex'), now() FROM unnest($1::uuid[], $2::text[]) AS fresh (account_id, hash) ORDER BY account_id
  ON CONFLICT DO NOTHING`);

const UPDATE_CHAINS = prepared(`
  UPDATE chains c SET sequence = h.sequence, hash = decode(h.hash, 'hex'), time = h.time, key_id = h.key_id,
    signature = decode(h.signature, 'hex')
  FROM jsonb_to_recordset($1) AS h (account_id uuid, sequence bigint, hash text, time timestamptz, key_id text, signature text)
  WHERE c.account_id = h.account_id`);

const SELECT_KNOWN = prepared('SELECT id FROM events WHERE id = ANY($1::uuid[])');

const INSERT_EVENTS = prepared(`
  INSERT INTO events (id, time, account_id, sequence, action, actor_id, actor_email, target_id, outcome, request_id, searched, event, hash)
  SELECT id, time, account_id, sequence, action, actor_id, actor_email, target_id, outcome, request_id, searched, event::json, decode(hash, 'hex')
  FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::smallint[], $10::text[], $11::text[], $12::text[], $13::text[])
    AS row (id, time, account_id, sequence, action, actor_id, actor_email, target_id, outcome, request_id, searched, event, hash)`);

/**
 * Locks the chains of accounts until the transaction ends, in the order of the accounts. Creates those that are missing.
 * @param accounts with the hash that a new chain begins with, sorted by account
 */
export async function lockChains(
  sql: Sql,
  accounts: readonly { accountId: string; first: Buffer }[],
): Promise<Map<string, Place>> {
  const ids = accounts.map(({ accountId }) => accountId);
  const read = async () => {
    const rows = await sql.query<{ accountId: string; sequence: string; hash: Buffer }[]>(SELECT_CHAINS, [ids]);
    return new Map(rows.map((row): [string, Place] => [row.accountId, { ...row, sequence: BigInt(row.sequence) }]));
  };
  const found = await read();
  if (found.size === accounts.length) return found;
  const missing = accounts.filter(({ accountId }) => !found.has(accountId));
  await sql.query(CREATE_CHAINS, [
    missing.map(({ accountId }) => accountId),
    missing.map(({ first }) => first.toString('hex')),
  ]);
  return read();
}

/** The ids that are stored already. */
export async function knownIds(sql: Sql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }[]>(SELECT_KNOWN, [ids]);
  return new Set(rows.map(({ id }) => id));
}

export async function insertEvents(sql: Sql, rows: readonly PlacedRow[]): Promise<void> {
  const column = <T>(of: (row: PlacedRow) => T) => rows.map(of);
  await sql.query(INSERT_EVENTS, [
    column(({ id }) => id),
    column(({ time }) => time.toISOString()),
    column(({ accountId }) => accountId),
    column(({ sequence }) => String(sequence)),
    column(({ action }) => action),
    column(({ actorId }) => actorId),
    column(({ actorEmail }) => actorEmail),
    column(({ targetId }) => targetId),
    column(({ outcome }) => outcome),
    column(({ requestId }) => requestId),
    column(({ searched }) => searched),
    column(({ event }) => event),
    column(({ hash }) => hash.toString('hex')),
  ]);
}

export async function moveHeads(sql: Sql, heads: readonly Checkpoint[]): Promise<void> {
  const rows = heads.map(({ accountId, sequence, hash, time, keyId, signature }) => ({
    account_id: accountId,
    sequence: String(sequence),
    hash: hash.toString('hex'),
    time,
    key_id: keyId,
    signature: signature.toString('hex'),
  }));
  await sql.query(UPDATE_CHAINS, [JSON.stringify(rows)]);
}

/** Creates the partition of a month. @param month `2026-12-01` */
export async function createPartition(sql: Sql, month: string): Promise<void> {
  await sql.query('SELECT create_events_partition($1::date)', [month]);
}
