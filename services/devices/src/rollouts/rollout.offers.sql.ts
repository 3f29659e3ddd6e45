import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { ASK_BUSY_S, ASK_WORKING_S, AT_ONCE } from './rollout.limits.ts';
import { isTaken, type DeviceStateName } from './rollout.row.ts';

/** A device that is asked now. */
export interface Due {
  rollout_id: string;
  device_id: string;
  state: 'updating' | 'busy' | 'download_failed' | 'returning';
  why: string;
  retries: number;
  version: string;
  from_version: string;
  replica: string | null;
  /** It runs the version, and this hub has not seen that for long enough. */
  trial: boolean;
  /** It may pass by now. */
  proved: boolean;
  /** Bytes of the package that it had when it was asked before; a string, as PostgreSQL gives a bigint. */
  downloaded: string;
}

/** How far the download of a device is. */
export interface ProgressRow {
  rollout: string;
  device: string;
  retries: number;
  /** Bytes. */
  downloaded: number;
}

/** The new state of a device, from the state that it was asked in. */
export interface ResultRow {
  rollout: string;
  device: string;
  before: DeviceStateName;
  retries: number;
  state: DeviceStateName;
  why: string;
  trial: boolean;
  crashes: number;
}

const CLAIM = `
  UPDATE rollout_devices r SET asked = now()
  FROM (
    SELECT r.rollout_id, r.device_id, o.version, d.connection_replica AS replica
    FROM rollout_devices r JOIN rollouts o ON o.id = r.rollout_id JOIN devices d ON d.id = r.device_id
    WHERE r.state IN ('updating', 'busy', 'download_failed', 'returning') AND d.connected
      AND ((r.state = 'updating' AND o.state IN ('running', 'paused', 'done'))
        -- In a rollout that is done, those that were at it when it ended, or were retried.
        OR (r.state IN ('busy', 'download_failed') AND o.state IN ('running', 'done'))
        OR (r.state = 'returning' AND o.state = 'rolled_back'))
      -- An open rollout has its devices to itself.
      AND NOT (o.state = 'done' AND EXISTS (SELECT FROM rollout_devices n
        WHERE n.device_id = r.device_id AND n.rollout_id <> r.rollout_id AND ${isTaken('n')}))
      AND (r.asked IS NULL
        OR r.asked < now() - CASE WHEN r.state IN ('busy', 'download_failed') AND d.agent_version <> o.version
          THEN interval '${ASK_BUSY_S} s' ELSE interval '${ASK_WORKING_S} s' END)
    ORDER BY r.asked NULLS FIRST LIMIT ${AT_ONCE} FOR UPDATE OF r SKIP LOCKED
  ) due
  WHERE r.rollout_id = due.rollout_id AND r.device_id = due.device_id
  RETURNING r.rollout_id, r.device_id, r.state, r.why, r.retries, r.from_version, r.downloaded, due.version, due.replica,
    r.tried IS NOT NULL AS trial, COALESCE(r.tried, now()) <= now() - make_interval(secs => $1) AS proved`;

/** Claims the devices that are to be asked now, so that no other replica asks them. @param trialSeconds how long a trial lasts */
export async function claimDue(sql: Sql, trialSeconds: number): Promise<Due[]> {
  const [due] = await sql.query<[Due[], number]>(CLAIM, [trialSeconds]);
  return due;
}

/** Writes how far downloads are, unless a device was retried meanwhile. */
export async function writeProgress(sql: Sql, rows: readonly ProgressRow[]): Promise<void> {
  await sql.query(
    `UPDATE rollout_devices r SET downloaded = p.downloaded,
       progressed = CASE WHEN p.downloaded > r.downloaded THEN now() ELSE r.progressed END
     FROM jsonb_to_recordset($1) AS p (rollout uuid, device uuid, retries integer, downloaded bigint)
     WHERE r.rollout_id = p.rollout AND r.device_id = p.device AND r.retries = p.retries`,
    [JSON.stringify(rows)],
  );
}

/** Writes new states, unless the state changed or the device was retried meanwhile. */
export async function writeResults(manager: EntityManager, rows: readonly ResultRow[]): Promise<void> {
  await manager.query(
    `UPDATE rollout_devices r SET state = news.state, why = news.why, blamed = news.state = 'failed', crashes = news.crashes,
       since = CASE WHEN r.state = news.state AND (r.tried IS NOT NULL OR NOT news.trial) THEN r.since ELSE now() END,
       tried = CASE WHEN news.trial OR news.state = 'updated' THEN COALESCE(r.tried, now()) END
     FROM jsonb_to_recordset($1) AS news
       (rollout uuid, device uuid, before text, retries integer, state text, why text, trial boolean, crashes integer)
     WHERE r.rollout_id = news.rollout AND r.device_id = news.device AND r.state = news.before AND r.retries = news.retries`,
    [JSON.stringify(rows)],
  );
}
