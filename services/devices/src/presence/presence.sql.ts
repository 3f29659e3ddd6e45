import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';

/** A device with the link that it has or had last. */
export interface PresenceRow {
  id: string;
  account_id: string;
  connected: boolean;
  connection_replica: string | null;
  connection_epoch: string;
  public_ip: string;
  name: string;
  custom_name: string;
}

/** The new presence of a device. */
export interface PresenceChange {
  id: string;
  connected: boolean;
  replica: string | null;
  epoch: bigint;
  publicIp: string;
  /** When it changed, if `connected` does. */
  since: Date;
}

/** A device whose presence changed without its word. */
export interface LostRow {
  id: string;
  account_id: string;
  name: string;
  custom_name: string;
}

/** A device whose key another machine used. */
export interface ClonedRow {
  id: string;
  account_id: string;
}

/** Locks devices and reads their presence; sorted by id, like all locks of several devices, to avoid deadlocks. */
export function lockPresence(manager: EntityManager, ids: readonly string[]): Promise<PresenceRow[]> {
  return manager.query(
    `SELECT id, account_id, connected, connection_replica, connection_epoch, public_ip, name, custom_name
     FROM devices WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
}

/** Writes the presence of locked devices. */
export async function writePresence(manager: EntityManager, changes: readonly PresenceChange[]): Promise<void> {
  if (changes.length === 0) return;
  await manager.query(
    `UPDATE devices SET connected = turn.connected, connection_replica = turn.replica, connection_epoch = turn.epoch,
       public_ip = turn.ip,
       status_since = CASE WHEN devices.connected = turn.connected THEN status_since ELSE LEAST(turn.since, now()) END
     FROM unnest($1::uuid[], $2::boolean[], $3::text[], $4::bigint[], $5::text[], $6::timestamptz[])
       AS turn (id, connected, replica, epoch, ip, since)
     WHERE devices.id = turn.id`,
    [
      changes.map(({ id }) => id),
      changes.map(({ connected }) => connected),
      changes.map(({ replica }) => replica),
      changes.map(({ epoch }) => String(epoch)),
      changes.map(({ publicIp }) => publicIp),
      changes.map(({ since }) => since),
    ],
  );
}

/** Skips through the index from one replica to the next, however many devices each holds. */
const SELECT_HOLDERS = `
  WITH RECURSIVE holders AS (
    (SELECT connection_replica AS id FROM devices WHERE connected ORDER BY connection_replica LIMIT 1)
    UNION ALL
    SELECT (
      SELECT connection_replica FROM devices WHERE connected AND connection_replica > holders.id
      ORDER BY connection_replica LIMIT 1
    ) FROM holders WHERE holders.id IS NOT NULL
  )
  SELECT id FROM holders WHERE id IS NOT NULL`;

/** Reads the ids of tunnels replicas that hold devices, by the database. */
export async function readHolders(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(SELECT_HOLDERS);
  return rows.map(({ id }) => id);
}

/** Marks up to `limit` devices of a tunnels replica as disconnected, leaving rows that are locked. */
export async function disconnectFrom(manager: EntityManager, replica: string, limit: number): Promise<LostRow[]> {
  const [rows] = await manager.query<[LostRow[], number]>(
    `UPDATE devices SET connected = false, status_since = now()
     WHERE id IN (
       SELECT id FROM devices WHERE connected AND connection_replica = $1 LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
     ) RETURNING id, account_id, name, custom_name`,
    [replica],
  );
  return rows;
}

/** Counts all devices, and those that are connected. */
export async function countAll(sql: Sql): Promise<{ total: number; connected: number } | undefined> {
  const [row] = await sql.query<{ total: number; connected: number }[]>(
    'SELECT count(*)::int AS total, count(*) FILTER (WHERE connected)::int AS connected FROM devices',
  );
  return row;
}

/** Flags a device as cloned, now. @returns the device if it was not flagged before */
export async function flagClone(manager: EntityManager, id: string): Promise<ClonedRow[]> {
  const [rows] = await manager.query<[(ClonedRow & { known: boolean })[], number]>(
    `UPDATE devices SET clone_seen = now() FROM (SELECT id, clone_seen FROM devices WHERE id = $1 FOR NO KEY UPDATE) AS before
     WHERE devices.id = before.id
     RETURNING devices.id, devices.account_id, before.clone_seen IS NOT NULL AS known`,
    [id],
  );
  return rows.filter(({ known }) => !known);
}

/** Clears the flag of devices whose clone has not dialled for an interval of PostgreSQL. @returns these devices */
export async function clearClones(manager: EntityManager, after: string): Promise<ClonedRow[]> {
  const [rows] = await manager.query<[ClonedRow[], number]>(
    'UPDATE devices SET clone_seen = NULL WHERE clone_seen < now() - $1::interval RETURNING id, account_id',
    [after],
  );
  return rows;
}
