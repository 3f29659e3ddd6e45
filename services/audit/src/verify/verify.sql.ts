import type { Sql } from '@warren/platform/database/sql';
import type { Checkpoint } from '../chain/chain.ts';

/** A stored event with all that is derived from it. */
export interface ChainRow {
  id: string;
  time: Date;
  sequence: string;
  action: string;
  actorId: string;
  actorEmail: string;
  targetId: string;
  outcome: number;
  requestId: string;
  searched: string;
  event: string;
  hash: Buffer;
}

type Stored = Omit<Checkpoint, 'sequence'> & { sequence: string };
const checkpointOf = (row: Stored): Checkpoint => ({ ...row, sequence: BigInt(row.sequence) });

/** Every account that has a chain, events or checkpoints. */
export async function chainAccounts(sql: Sql): Promise<string[]> {
  // Loose scan: one step of the index for each account.
  const rows = await sql.query<{ id: string }[]>(
    `WITH RECURSIVE seen (id) AS (
       (SELECT account_id FROM events ORDER BY account_id LIMIT 1)
       UNION ALL
       SELECT (SELECT account_id FROM events e WHERE e.account_id > seen.id ORDER BY account_id LIMIT 1) FROM seen WHERE seen.id IS NOT NULL
     )
     SELECT id FROM seen WHERE id IS NOT NULL UNION SELECT account_id FROM chains UNION SELECT account_id FROM checkpoints ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

/** The end of a chain; undefined where there is none. */
export async function headOf(sql: Sql, accountId: string): Promise<Checkpoint | undefined> {
  const [row] = await sql.query<Stored[]>(
    `SELECT account_id AS "accountId", 'head' AS kind, sequence::text AS sequence, hash, time, key_id AS "keyId", signature
     FROM chains WHERE account_id = $1`,
    [accountId],
  );
  return row && checkpointOf(row);
}

/** The checkpoints of an account, by their place. */
export async function checkpointsOf(sql: Sql, accountId: string): Promise<Checkpoint[]> {
  const rows = await sql.query<Stored[]>(
    `SELECT account_id AS "accountId", kind, sequence::text AS sequence, hash, time, key_id AS "keyId", signature
     FROM checkpoints c WHERE account_id = $1 ORDER BY c.sequence`,
    [accountId],
  );
  return rows.map(checkpointOf);
}

/** The events of an account after a place, in the order of the chain. */
export function eventsAfter(sql: Sql, accountId: string, after: bigint, limit: number): Promise<ChainRow[]> {
  return sql.query(
    `SELECT id, time, sequence::text AS sequence, action, actor_id AS "actorId", actor_email AS "actorEmail", target_id AS "targetId",
       outcome, request_id AS "requestId", searched, event::text AS event, hash
     FROM events e WHERE account_id = $1 AND sequence > $2 ORDER BY e.sequence LIMIT $3`,
    [accountId, String(after), limit],
  );
}

/** When all chains were last verified, and how many were broken. */
export interface Verification {
  time: Date;
  broken: number;
}

export async function lastVerification(sql: Sql): Promise<Verification | undefined> {
  const [row] = await sql.query<Verification[]>('SELECT time, broken FROM verifications ORDER BY time DESC LIMIT 1');
  return row;
}

/** Keeps the result of a verification. @returns false if another replica has a newer one, or began at the same time */
export async function keepVerification(sql: Sql, { time, broken }: Verification): Promise<boolean> {
  const rows = await sql.query<unknown[]>(
    `INSERT INTO verifications (single, time, broken) VALUES (true, $1, $2)
     ON CONFLICT (single) DO UPDATE SET time = excluded.time, broken = excluded.broken WHERE verifications.time <= excluded.time
     RETURNING true`,
    [time, broken],
  );
  return rows.length > 0;
}
