import type { Sql } from '@warren/platform/database/sql';
import type { EntityManager } from 'typeorm';
import { KEPT_DAYS, MOST_FAILED_DEVICES, MOST_FAILURES, MOST_KEPT } from './bulk.limits.ts';
import type { Outcome } from './bulk.outcome.ts';
import type { BulkCounts, BulkDeviceState, BulkFailureRow } from './bulk.row.ts';

/** Counts the running jobs of an account under a lock, so that simultaneous requests don't exceed the limit. */
export async function countRunning(manager: EntityManager, accountId: string): Promise<number> {
  await manager.query(`SELECT pg_advisory_xact_lock(hashtext('bulk_jobs'), hashtext($1))`, [accountId]);
  const [row] = await manager.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM bulk_jobs WHERE account_id = $1 AND state = 'running'`,
    [accountId],
  );
  return row?.count ?? 0;
}

/** Counts the devices of jobs by state. */
export async function countDevices(sql: Sql, jobIds: readonly string[]): Promise<Map<string, BulkCounts>> {
  const rows = await sql.query<{ job_id: string; state: BulkDeviceState; count: number }[]>(
    'SELECT job_id, state, count(*)::int AS count FROM bulk_devices WHERE job_id = ANY($1::uuid[]) GROUP BY 1, 2',
    [jobIds],
  );
  const counts = new Map<string, BulkCounts>();
  for (const id of jobIds) counts.set(id, { waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0 });
  for (const { job_id: id, state, count } of rows) (counts.get(id) as BulkCounts)[state] = count;
  return counts;
}

/** Groups the failed devices of a job by reason, the most frequent first, with their names. */
export function readFailures(sql: Sql, jobId: string): Promise<BulkFailureRow[]> {
  return sql.query(
    `WITH failed AS (
       SELECT code, reason, device_id, device_name, place, row_number() OVER (ORDER BY place, device_id) AS at
       FROM bulk_devices WHERE job_id = $1 AND state = 'failed'
     )
     SELECT code, reason, count(*)::int AS count,
       COALESCE(jsonb_agg(jsonb_build_object('id', device_id, 'name', device_name) ORDER BY place, device_id)
         FILTER (WHERE at <= ${MOST_FAILED_DEVICES}), '[]') AS devices
     FROM failed GROUP BY code, reason ORDER BY count(*) DESC, code, reason LIMIT ${MOST_FAILURES}`,
    [jobId],
  );
}

/** Cancels a running job: devices that wait stay as they are. @returns false if it is over */
export async function cancelJob(manager: EntityManager, id: string, by: string): Promise<boolean> {
  const [, cancelled] = await manager.query<[unknown[], number]>(
    `UPDATE bulk_jobs SET state = 'cancelled', cancelled_by = $2, finished = now() WHERE id = $1 AND state = 'running'`,
    [id, by],
  );
  if (cancelled === 0) return false;
  await manager.query(`UPDATE bulk_devices SET state = 'cancelled' WHERE job_id = $1 AND state = 'waiting'`, [id]);
  return true;
}

/** Finishes a job without devices that wait or run. @returns whether it finished now */
export async function finishJob(manager: EntityManager, id: string): Promise<boolean> {
  const [, finished] = await manager.query<[unknown[], number]>(
    `UPDATE bulk_jobs SET state = 'done', finished = now() WHERE id = $1 AND state = 'running'
       AND NOT EXISTS (SELECT FROM bulk_devices WHERE job_id = $1 AND state IN ('waiting', 'running'))`,
    [id],
  );
  return finished > 0;
}

/** Fails all devices of a job that wait. */
export async function failWaiting(sql: Sql, jobId: string, code: string, reason: string): Promise<number> {
  const [, failed] = await sql.query<[unknown[], number]>(
    `UPDATE bulk_devices SET state = 'failed', code = $2, reason = $3 WHERE job_id = $1 AND state = 'waiting'`,
    [jobId, code, reason],
  );
  return failed;
}

/** Fails the devices that a wave left behind when its process died. */
export async function failLeftBehind(sql: Sql, jobId: string, code: string, reason: string): Promise<number> {
  const [, failed] = await sql.query<[unknown[], number]>(
    `UPDATE bulk_devices SET state = 'failed', code = $2, reason = $3 WHERE job_id = $1 AND state = 'running'`,
    [jobId, code, reason],
  );
  return failed;
}

/** Lets the devices wait again that a wave left behind when its process died. */
export async function retryLeftBehind(sql: Sql, jobId: string): Promise<void> {
  await sql.query(`UPDATE bulk_devices SET state = 'waiting' WHERE job_id = $1 AND state = 'running'`, [jobId]);
}

/** A device whose turn it is. */
export interface Turn {
  device_id: string;
  /** The account where it was selected. */
  account_id: string;
  /** An earlier attempt may have succeeded. */
  attempts: number;
}

/** Takes the next devices of a job for a wave, in their order. No other wave gets them. */
export function takeTurns(sql: Sql, jobId: string, wave: string, most: number): Promise<Turn[]> {
  return sql.query(
    // Materialized: a plan that runs the subquery for each row would take more.
    `WITH next AS MATERIALIZED (SELECT device_id FROM bulk_devices WHERE job_id = $1 AND state = 'waiting' ORDER BY place
       LIMIT ${most} FOR UPDATE SKIP LOCKED),
     taken AS (UPDATE bulk_devices b SET state = 'running', wave = $2, attempts = b.attempts + 1 FROM next
       WHERE b.job_id = $1 AND b.device_id = next.device_id RETURNING b.device_id, b.account_id, b.attempts, b.place)
     SELECT device_id, account_id, attempts FROM taken ORDER BY place, device_id`,
    [jobId, wave],
  );
}

/** A wave of a job. */
export interface Wave {
  jobId: string;
  wave: string;
}

/**
 * Locks the devices that are still the wave's: another process may have taken the job over.
 * @returns their ids
 */
export async function lockTurns(
  manager: EntityManager,
  of: Wave,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await manager.query<{ device_id: string }[]>(
    `SELECT device_id FROM bulk_devices WHERE job_id = $1 AND wave = $2 AND state = 'running'
       AND device_id = ANY($3::uuid[]) ORDER BY device_id FOR UPDATE`,
    [of.jobId, of.wave, deviceIds],
  );
  return new Set(rows.map(({ device_id: id }) => id));
}

/** Leaves devices of a wave as they are, because their job was cancelled. */
export async function cancelTurns(sql: Sql, of: Wave, deviceIds: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE bulk_devices SET state = 'cancelled'
     WHERE job_id = $1 AND wave = $2 AND state = 'running' AND device_id = ANY($3::uuid[])`,
    [of.jobId, of.wave, deviceIds],
  );
}

/** What became of which device. */
export interface DeviceOutcome extends Outcome {
  deviceId: string;
}

/** Writes what became of devices that are still the wave's. */
export async function writeOutcomes(sql: Sql, of: Wave, outcomes: readonly DeviceOutcome[]): Promise<void> {
  await sql.query(
    `UPDATE bulk_devices b SET state = o.state, code = o.code, reason = o.reason
     FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS o (device_id, state, code, reason)
     WHERE b.job_id = $1 AND b.device_id = o.device_id AND b.wave = $2`,
    [
      of.jobId,
      of.wave,
      outcomes.map(({ deviceId }) => deviceId),
      outcomes.map(({ state }) => state),
      outcomes.map(({ code }) => code),
      outcomes.map(({ reason }) => reason),
    ],
  );
}

/** What an action has to know about a device. */
export interface ActedDevice {
  id: string;
  account_id: string;
  connected: boolean;
  connection_replica: string | null;
  agent_version: string;
}

/** Reads a device in the account that the person may see or, without one, in any. */
export async function readDevice(sql: Sql, id: string, sight: string | undefined): Promise<ActedDevice | undefined> {
  const [row] = await sql.query<ActedDevice[]>(
    `SELECT id, account_id, connected, connection_replica, agent_version FROM devices
     WHERE id = $1 AND ($2::uuid IS NULL OR account_id = $2)`,
    [id, sight ?? null],
  );
  return row;
}

/** The open rollout of a device's account. */
export interface OpenRollout {
  id: string;
  version: string;
  /** The device has been offered the version, and works on it. */
  working: boolean;
}

export async function readOpenRollout(sql: Sql, device: ActedDevice): Promise<OpenRollout | undefined> {
  const [row] = await sql.query<OpenRollout[]>(
    `SELECT o.id, o.version, EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.device_id = $2
       AND r.state IN ('updating', 'busy')) AS working
     FROM rollouts o WHERE o.state IN ('running', 'paused') AND (o.account_id IS NULL OR o.account_id = $1)
     ORDER BY o.created DESC LIMIT 1`,
    [device.account_id, device.id],
  );
  return row;
}

/** Counts devices that work on open rollouts. */
export async function countUpdating(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM rollout_devices r JOIN rollouts o ON o.id = r.rollout_id
     WHERE r.state = 'updating' AND o.state IN ('running', 'paused')`,
  );
  return row?.count ?? 0;
}

/** The ids of jobs with work left, for the queue. */
export async function listUnfinished(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ id: string }[]>(
    `SELECT id FROM bulk_jobs j WHERE state = 'running' OR (state = 'cancelled' AND finished > now() - interval '1 day'
       AND EXISTS (SELECT FROM bulk_devices b WHERE b.job_id = j.id AND b.state = 'running')) LIMIT 1000`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes finished jobs after their retention. */
export async function deleteOld(sql: Sql): Promise<void> {
  await sql.query(`DELETE FROM bulk_jobs WHERE state <> 'running' AND finished < now() - interval '${KEPT_DAYS} days'`);
}

/** Deletes an account's oldest finished jobs, to make room for one more. */
export async function deleteSurplus(sql: Sql, accountId: string): Promise<void> {
  await sql.query(
    `DELETE FROM bulk_jobs WHERE state <> 'running' AND id IN
       (SELECT id FROM bulk_jobs WHERE account_id = $1 ORDER BY created DESC OFFSET ${MOST_KEPT - 1})`,
    [accountId],
  );
}
