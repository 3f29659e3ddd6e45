import type { Sql } from '@warren/platform/database/sql';
import type { Labels } from '@warren/rules/labels';
import type { EntityManager } from 'typeorm';

/** An enrolment token to store: only its hash. */
export interface NewToken {
  id: string;
  accountId: string;
  hash: Buffer;
  uses: number;
  /** Null for a token that no user created. */
  createdBy: string | null;
  labels: Labels;
}

/** The state of an enrolment token and its account. */
export interface TokenRow {
  uses_left: number;
  expires: Date;
  expired: boolean;
  revoked: Date | null;
  active: boolean;
}

/** A device with its key. */
export interface KeyRow {
  id: string;
  account_id: string;
  name: string;
  custom_name: string;
  public_key: Buffer;
}

/** Stores a token for one hour, and deletes tokens that expired long ago. @returns undefined if the account does not exist */
export async function insertToken(sql: Sql, token: NewToken): Promise<{ id: string; expires: Date } | undefined> {
  const { id, accountId, hash, uses, createdBy, labels } = token;
  const [row] = await sql.query<{ id: string; expires: Date }[]>(
    `WITH swept AS (DELETE FROM enrolment_tokens WHERE expires < now() - interval '1 day')
     INSERT INTO enrolment_tokens (id, account_id, hash, uses, uses_left, created_by, labels, expires)
     SELECT $1, id, $3, $4, $4, $5, $6, now() + interval '1 hour' FROM accounts WHERE id = $2 AND NOT deleted
     RETURNING id, expires`,
    [id, accountId, hash, uses, createdBy, JSON.stringify(labels)],
  );
  return row;
}

/** Reads a token of an account by its hash. */
export async function readToken(sql: Sql, accountId: string, hash: Buffer): Promise<TokenRow | undefined> {
  const [row] = await sql.query<TokenRow[]>(
    `SELECT t.uses_left, t.expires, t.expires <= now() AS expired, t.revoked, a.active AND NOT a.deleted AS active
     FROM enrolment_tokens t JOIN accounts a ON a.id = t.account_id
     WHERE t.hash = $1 AND t.account_id = $2`,
    [hash, accountId],
  );
  return row;
}

/** Takes one use from a valid token. @returns its id and the labels that it gives; undefined if it is not valid */
export async function spendToken(
  manager: EntityManager,
  accountId: string,
  hash: Buffer,
): Promise<{ id: string; labels: Labels } | undefined> {
  const [[row]] = await manager.query<[{ id: string; labels: Labels }[], number]>(
    `UPDATE enrolment_tokens SET uses_left = uses_left - 1
     WHERE hash = $1 AND account_id = $2 AND uses_left > 0 AND revoked IS NULL AND expires > now() RETURNING id, labels`,
    [hash, accountId],
  );
  return row;
}

/** Locks a token of an account. @returns whether it is revoked; undefined if there is none */
export async function lockToken(manager: EntityManager, accountId: string, id: string): Promise<boolean | undefined> {
  const [row] = await manager.query<{ revoked: boolean }[]>(
    `SELECT revoked IS NOT NULL AS revoked FROM enrolment_tokens WHERE id = $1 AND account_id = $2
     FOR NO KEY UPDATE`,
    [id, accountId],
  );
  return row?.revoked;
}

/** Revokes a token. */
export async function revokeToken(manager: EntityManager, accountId: string, id: string): Promise<void> {
  await manager.query('UPDATE enrolment_tokens SET revoked = now() WHERE id = $1 AND account_id = $2', [id, accountId]);
}

/** Revokes the tokens that a user created. */
export async function revokeTokensOf(sql: Sql, userId: string): Promise<void> {
  await sql.query('UPDATE enrolment_tokens SET revoked = now() WHERE created_by = $1 AND revoked IS NULL', [userId]);
}

/** Inserts a device. @returns its id; undefined if its slug is taken */
export async function insertDevice(
  manager: EntityManager,
  columns: Readonly<Record<string, string | number>>,
): Promise<string | undefined> {
  const names = Object.keys(columns);
  const [row] = await manager.query<{ id: string }[]>(
    `INSERT INTO devices (${names.join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})
     ON CONFLICT (slug) DO NOTHING RETURNING id`,
    Object.values(columns),
  );
  return row?.id;
}

/** Inserts the public key of a device. */
export async function insertKey(manager: EntityManager, deviceId: string, publicKey: Uint8Array): Promise<void> {
  await manager.query('INSERT INTO device_keys (device_id, public_key) VALUES ($1, $2)', [
    deviceId,
    Buffer.from(publicKey),
  ]);
}

/** Replaces the public key of a device. */
export async function updateKey(manager: EntityManager, deviceId: string, publicKey: Uint8Array): Promise<void> {
  await manager.query('UPDATE device_keys SET public_key = $2, created = now() WHERE device_id = $1', [
    deviceId,
    Buffer.from(publicKey),
  ]);
}

/** Marks the key of a device as its own again. */
export async function clearKeyShared(manager: EntityManager, deviceId: string): Promise<void> {
  await manager.query('UPDATE devices SET key_shared = false WHERE id = $1 AND key_shared', [deviceId]);
}

/** Locks the device that an id resolves to. @returns its current id */
export async function lockResolved(manager: EntityManager, id: string): Promise<string | undefined> {
  const [row] = await manager.query<{ id: string }[]>(
    `SELECT id FROM devices
     WHERE id = COALESCE((SELECT a.device_id FROM device_aliases a WHERE a.alias = $1), $1) FOR UPDATE`,
    [id],
  );
  return row?.id;
}

/** Reads the account, the names and the key of a device. */
export async function readKey(manager: EntityManager, id: string): Promise<KeyRow | undefined> {
  const [row] = await manager.query<KeyRow[]>(
    `SELECT d.id, d.account_id, d.name, d.custom_name, k.public_key
     FROM devices d JOIN device_keys k ON k.device_id = d.id WHERE d.id = $1`,
    [id],
  );
  return row;
}
