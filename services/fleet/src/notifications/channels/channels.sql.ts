import type { Sql } from '@warren/platform/database/sql';
import type { SealedRow } from '@warren/platform/secrets/sealed.columns';
import type { AlertSeverity } from '@warren/rules/alerts';
import type { ChannelKindName, QuietHours } from '@warren/rules/channels';
import type { EntityManager } from 'typeorm';

/** A row of `notification_channels`. */
export interface ChannelRow {
  id: string;
  account_id: string;
  name: string;
  kind: ChannelKindName;
  /** Of a channel by mail. */
  addresses: string[];
  /** Of the others, encrypted. */
  url: Buffer | null;
  /** What people see of the URL. */
  url_shown: string;
  /** Signs the messages of a webhook; encrypted. */
  secret: Buffer | null;
  /** Signs as well until then, after it was replaced; encrypted. */
  former_secret: Buffer | null;
  former_until: Date | null;
  min_severity: AlertSeverity;
  quiet: QuietHours | null;
  after_minutes: number;
  recovery: boolean;
  enabled: boolean;
  last_success: Date | null;
  last_failure: Date | null;
  last_error: string;
  /** Consecutive answers that the URL exists no more. */
  gone: number;
}

/** What people set. */
export type ChannelSettings = Omit<ChannelRow, 'last_success' | 'last_failure' | 'last_error' | 'gone'>;

const COLUMNS = `id, account_id, name, kind, addresses, url, url_shown, secret, former_secret, former_until, min_severity, quiet, after_minutes,
  recovery, enabled, last_success, last_failure, last_error, gone`;

/** Lists the channels of an account, or of all, by name. */
export function listChannels(sql: Sql, accountId: string | undefined, most: number): Promise<ChannelRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM notification_channels WHERE $1::uuid IS NULL OR account_id = $1
     ORDER BY lower(name), id LIMIT $2`,
    [accountId ?? null, most],
  );
}

/** Finds a channel of an account, or of any. */
export async function findChannel(
  sql: Sql,
  id: string,
  accountId: string | undefined,
): Promise<ChannelRow | undefined> {
  const [row] = await sql.query<ChannelRow[]>(
    `SELECT ${COLUMNS} FROM notification_channels WHERE id = $1 AND ($2::uuid IS NULL OR account_id = $2)`,
    [id, accountId ?? null],
  );
  return row;
}

/** Like {@link findChannel}, locked until the transaction ends. */
export async function lockChannel(
  manager: EntityManager,
  id: string,
  accountId: string | undefined,
): Promise<ChannelRow | undefined> {
  const [row] = await manager.query<ChannelRow[]>(
    `SELECT ${COLUMNS} FROM notification_channels WHERE id = $1 AND ($2::uuid IS NULL OR account_id = $2) FOR UPDATE`,
    [id, accountId ?? null],
  );
  return row;
}

/** Counts the channels of an account under a lock, so that simultaneous requests don't exceed the limit. */
export async function countChannels(manager: EntityManager, accountId: string): Promise<number> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('notification_channels'), hashtext($1))`, [accountId]);
  const [row] = await manager.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM notification_channels WHERE account_id = $1',
    [accountId],
  );
  return row?.n ?? 0;
}

const valuesOf = (row: ChannelSettings) => [
  ...[row.id, row.account_id, row.name, row.kind, row.addresses, row.url, row.url_shown, row.secret],
  ...[row.min_severity, row.quiet && JSON.stringify(row.quiet), row.after_minutes, row.recovery, row.enabled],
];

export async function insertChannel(manager: EntityManager, row: ChannelSettings): Promise<void> {
  await manager.query(
    `INSERT INTO notification_channels
       (id, account_id, name, kind, addresses, url, url_shown, secret, min_severity, quiet, after_minutes, recovery, enabled)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    valuesOf(row),
  );
}

/** Writes what people set. A channel that is enabled or leads elsewhere has failed no more. */
export async function updateChannel(manager: EntityManager, row: ChannelSettings): Promise<void> {
  await manager.query(
    `UPDATE notification_channels SET name = $3, kind = $4, addresses = $5, url = $6, url_shown = $7, secret = $8,
       min_severity = $9, quiet = $10, after_minutes = $11, recovery = $12, enabled = $13, gone = 0,
       former_secret = $14, former_until = $15
     WHERE id = $1 AND account_id = $2`,
    [...valuesOf(row), row.former_secret, row.former_until],
  );
}

export async function deleteChannel(
  manager: EntityManager,
  { id, account_id }: Pick<ChannelRow, 'id' | 'account_id'>,
): Promise<void> {
  await manager.query('DELETE FROM notification_channels WHERE id = $1 AND account_id = $2', [id, account_id]);
}

/** Deletes all that an account has. */
export async function deleteChannelsOf(sql: Sql, accountId: string): Promise<void> {
  await sql.query('DELETE FROM notification_channels WHERE account_id = $1', [accountId]);
}

/** Notes a test. Returns false if the last one was too short a time ago. */
export async function noteTest(
  sql: Sql,
  { id, account_id }: Pick<ChannelRow, 'id' | 'account_id'>,
  pauseSeconds: number,
): Promise<boolean> {
  const [, count] = await sql.query<[unknown, number]>(
    `UPDATE notification_channels SET tested_at = now()
     WHERE id = $1 AND account_id = $2 AND (tested_at IS NULL OR tested_at < now() - make_interval(secs => $3))`,
    [id, account_id, pauseSeconds],
  );
  return count === 1;
}

/** Lets what waits for the end of quiet hours be judged by the present ones. */
export async function releaseHeld(manager: EntityManager, channelId: string): Promise<void> {
  await manager.query(
    `UPDATE notification_changes SET due_at = now() WHERE channel_id = $1 AND held = 'quiet' AND due_at > now()`,
    [channelId],
  );
}

/** Ends what waits for a channel that was disabled. */
export async function failWaiting(sql: Sql, channelId: string, reason: string): Promise<void> {
  await sql.query(
    `UPDATE notifications SET state = 'failed', last_error = $2, leased_until = NULL
     WHERE channel_id = $1 AND state = 'waiting'`,
    [channelId, reason],
  );
  await sql.query('DELETE FROM notification_changes WHERE channel_id = $1', [channelId]);
}

/** Channels with something encrypted, in the order of their ids, for a change of the key. */
export function sealedChannels(sql: Sql, after: string, limit: number): Promise<SealedRow[]> {
  return sql.query(
    `SELECT id, url, secret, former_secret FROM notification_channels WHERE id > $1 AND (url IS NOT NULL OR secret IS NOT NULL)
     ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** Replaces what was encrypted with a former key, unless it has changed. */
export async function replaceSealed(
  sql: Sql,
  former: SealedRow,
  { url, secret, former_secret }: Omit<SealedRow, 'id'>,
): Promise<void> {
  await sql.query(
    `UPDATE notification_channels SET url = $2, secret = $3, former_secret = $6
     WHERE id = $1 AND url IS NOT DISTINCT FROM $4 AND secret IS NOT DISTINCT FROM $5 AND former_secret IS NOT DISTINCT FROM $7`,
    [former.id, url, secret, former.url, former.secret, former_secret, former.former_secret],
  );
}

/** Deletes former secrets that no longer sign. */
export async function forgetFormerSecrets(sql: Sql): Promise<void> {
  await sql.query(
    'UPDATE notification_channels SET former_secret = NULL, former_until = NULL WHERE former_until < now()',
  );
}
