import type { Sql } from '@warren/platform/database/sql';
import type { SealedRow } from '@warren/platform/secrets/sealed.columns';
import type { EntityManager } from 'typeorm';
import type { ChannelEntity } from './channel.entity.ts';

/** Locks the channels of an account against additions. */
export async function lockChannels(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('notification_channels'), hashtext($1))`, [accountId]);
}

/** Notes a test. Returns false if the last one was too short a time ago. */
export async function noteTest(
  sql: Sql,
  { id, accountId }: Pick<ChannelEntity, 'id' | 'accountId'>,
  pauseSeconds: number,
): Promise<boolean> {
  const [, count] = await sql.query<[unknown, number]>(
    `UPDATE notification_channels SET tested_at = now()
     WHERE id = $1 AND account_id = $2 AND (tested_at IS NULL OR tested_at < now() - make_interval(secs => $3))`,
    [id, accountId, pauseSeconds],
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
    `SELECT id, url, secret, former_secret AS "formerSecret" FROM notification_channels
     WHERE id > $1 AND (url IS NOT NULL OR secret IS NOT NULL) ORDER BY id LIMIT $2`,
    [after, limit],
  );
}

/** Replaces what was encrypted with a former key, unless it has changed. */
export async function replaceSealed(
  sql: Sql,
  former: SealedRow,
  { url, secret, formerSecret }: Omit<SealedRow, 'id'>,
): Promise<void> {
  await sql.query(
    `UPDATE notification_channels SET url = $2, secret = $3, former_secret = $6
     WHERE id = $1 AND url IS NOT DISTINCT FROM $4 AND secret IS NOT DISTINCT FROM $5 AND former_secret IS NOT DISTINCT FROM $7`,
    [former.id, url, secret, former.url, former.secret, formerSecret, former.formerSecret],
  );
}

/** Deletes former secrets that no longer sign. */
export async function forgetFormerSecrets(sql: Sql): Promise<void> {
  await sql.query(
    'UPDATE notification_channels SET former_secret = NULL, former_until = NULL WHERE former_until < now()',
  );
}
