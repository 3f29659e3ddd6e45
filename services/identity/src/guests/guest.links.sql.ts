import type { Sql } from '@warren/platform/database/sql';
import { GUEST_LINK_LIMITS, type GuestPurpose } from '@warren/rules/guest-links';
import type { EntityManager } from 'typeorm';

/** A row of `guest_links`. */
export interface GuestLinkRow {
  id: string;
  account_id: string;
  device_id: string;
  device_name: string;
  maker_id: string;
  /** In lower case. */
  maker_email: string;
  maker_name: string;
  purpose: GuestPurpose;
  /** The web service of the purpose `web`: the first label of its host, and where it listens on the device; null for other purposes. */
  web_slug: string | null;
  web_ip: string | null;
  web_port: number | null;
  /** As `hashOfPin` makes it; null without a PIN. */
  pin: string | null;
  wrong_pins: number;
  uses: number;
  most_uses: number;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_reason: string;
  /** Its time has come, by the clock of the database. */
  expired: boolean;
}

/** A link with the hash of its secret. */
export type FoundLink = GuestLinkRow & { hash: string };

export type NewLink = Pick<
  FoundLink,
  | 'id'
  | 'hash'
  | 'account_id'
  | 'device_id'
  | 'device_name'
  | 'maker_id'
  | 'maker_email'
  | 'maker_name'
  | 'purpose'
  | 'web_slug'
  | 'web_ip'
  | 'web_port'
  | 'pin'
  | 'most_uses'
> & { minutes: number };

/** Which links to end: all conditions hold; one that is absent says nothing. */
export interface Ended {
  id?: string;
  makerId?: string;
  accountId?: string;
  deviceId?: string;
  /** Made by a user who is not in this account now. */
  outside?: string;
}

const { wrongPins, keptDays } = GUEST_LINK_LIMITS;
const COLUMNS = `l.id, l.account_id, l.device_id, l.device_name, l.maker_id, l.maker_email, l.maker_name, l.purpose, l.web_slug, l.web_ip,
  l.web_port, l.pin, l.wrong_pins, l.uses, l.most_uses, l.created_at, l.expires_at, l.ended_at, l.ended_reason, l.expires_at <= now() AS expired`;
const LISTED = 50;

/** Counts the links that have not ended, under a lock, so that simultaneous requests don't exceed a limit. */
export async function countLinks(
  manager: EntityManager,
  { account_id: accountId, device_id: deviceId }: Pick<GuestLinkRow, 'account_id' | 'device_id'>,
): Promise<{ device: number; account: number }> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('guest_links'), hashtext($1))`, [accountId]);
  const [row] = await manager.query<{ device: number; account: number }[]>(
    `SELECT count(*) FILTER (WHERE device_id = $2)::int AS device, count(*)::int AS account
     FROM guest_links WHERE account_id = $1 AND ended_at IS NULL AND expires_at > now()`,
    [accountId, deviceId],
  );
  return row ?? { device: 0, account: 0 };
}

export async function insertLink(manager: EntityManager, link: NewLink): Promise<GuestLinkRow> {
  const [row] = await manager.query<GuestLinkRow[]>(
    `INSERT INTO guest_links AS l (id, hash, account_id, device_id, device_name, maker_id, maker_email, maker_name, purpose, web_slug,
       web_ip, web_port, pin, most_uses, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now() + make_interval(mins => $15))
     RETURNING ${COLUMNS}`,
    [
      link.id,
      link.hash,
      link.account_id,
      link.device_id,
      link.device_name,
      link.maker_id,
      link.maker_email,
      link.maker_name,
      link.purpose,
      link.web_slug,
      link.web_ip,
      link.web_port,
      link.pin,
      link.most_uses,
      link.minutes,
    ],
  );
  return row as GuestLinkRow;
}

/** Those of some links that are in force. */
export function linksInForce(sql: Sql, ids: readonly string[]): Promise<GuestLinkRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM guest_links l WHERE l.id = ANY($1::uuid[]) AND l.ended_at IS NULL AND l.expires_at > now() ORDER BY l.id`,
    [ids],
  );
}

/** The newest links to a device. @param makerId only those of this user */
export function listLinks(
  sql: Sql,
  { deviceId, accountId, makerId }: { deviceId: string; accountId: string; makerId: string | undefined },
): Promise<GuestLinkRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} FROM guest_links l WHERE device_id = $1 AND account_id = $2 AND ($3::uuid IS NULL OR maker_id = $3)
     ORDER BY l.created_at DESC, l.id LIMIT ${LISTED}`,
    [deviceId, accountId, makerId ?? null],
  );
}

/** Reads a link. @param lock until the end of the transaction, so that its uses and wrong PINs are counted one by one */
export async function findLink(sql: Sql, id: string, { lock = false } = {}): Promise<FoundLink | undefined> {
  const [row] = await sql.query<FoundLink[]>(
    `SELECT ${COLUMNS}, l.hash FROM guest_links l WHERE l.id = $1 ${lock ? 'FOR UPDATE' : ''}`,
    [id],
  );
  return row;
}

/** Counts a wrong PIN. */
export async function countWrongPin(manager: EntityManager, id: string): Promise<void> {
  await manager.query(`UPDATE guest_links SET wrong_pins = LEAST(wrong_pins + 1, ${wrongPins}) WHERE id = $1`, [id]);
}

/** Counts a use. */
export async function countUse(manager: EntityManager, id: string): Promise<void> {
  await manager.query('UPDATE guest_links SET uses = uses + 1 WHERE id = $1', [id]);
}

/** Ends links that have not ended. */
export async function endLinks(manager: EntityManager, of: Ended, reason: string): Promise<GuestLinkRow[]> {
  const [rows] = await manager.query<[GuestLinkRow[], number]>(
    `UPDATE guest_links AS l SET ended_at = now(), ended_reason = $6
     WHERE ended_at IS NULL AND ($1::uuid IS NULL OR id = $1) AND ($2::uuid IS NULL OR maker_id = $2)
       AND ($3::uuid IS NULL OR account_id = $3) AND ($4::uuid IS NULL OR device_id = $4)
       AND ($5::uuid IS NULL OR account_id <> $5)
     RETURNING ${COLUMNS}`,
    [of.id ?? null, of.makerId ?? null, of.accountId ?? null, of.deviceId ?? null, of.outside ?? null, reason],
  );
  return rows;
}

/** Ends links whose time has come. Replicas that do so at once end different ones. */
export async function endExpiredLinks(manager: EntityManager, most: number): Promise<GuestLinkRow[]> {
  const [rows] = await manager.query<[GuestLinkRow[], number]>(
    `UPDATE guest_links AS l SET ended_at = l.expires_at, ended_reason = 'expired'
     WHERE id IN (
       SELECT id FROM guest_links WHERE ended_at IS NULL AND expires_at <= now()
       ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     RETURNING ${COLUMNS}`,
    [most],
  );
  return rows;
}

/** Whether a link's time has come, and it has not been ended. */
export async function hasExpiredLink(sql: Sql): Promise<boolean> {
  const rows = await sql.query<unknown[]>(
    'SELECT 1 FROM guest_links WHERE ended_at IS NULL AND expires_at <= now() LIMIT 1',
  );
  return rows.length > 0;
}

/** Deletes links that ended long ago, with their guests. */
export async function deleteOldLinks(sql: Sql, most: number): Promise<void> {
  await sql.query(
    `DELETE FROM guest_links WHERE id IN (
       SELECT id FROM guest_links WHERE ended_at < now() - make_interval(days => ${keptDays}) LIMIT $1
     )`,
    [most],
  );
}
