import { ActivityKind } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { calledName, record } from '../history/history.ts';
import { readDone } from './bulk.history.sql.ts';
import type { BulkJobEntity } from './bulk.job.entity.ts';
import { writeOutcomes, type DeviceOutcome, type Wave } from './bulk.sql.ts';

/** Writes outcomes in the transaction of a wave, and what was done into the history of the devices: once, as both commit or neither. */
export async function settleOutcomes(
  manager: EntityManager,
  job: BulkJobEntity,
  of: Wave,
  outcomes: readonly DeviceOutcome[],
): Promise<void> {
  await writeOutcomes(manager, of, outcomes);
  // The history has deleted and moved devices already, by the service that does it.
  if (job.action === 'delete' || job.action === 'move') return;
  const ids = outcomes.filter(({ state }) => state === 'done').map(({ deviceId }) => deviceId);
  const actor = job.userName || job.userEmail;
  const happenings = (await readDone(manager, of, ids)).map((row) => ({
    kind: ActivityKind.BULK_ACTION,
    deviceId: row.id,
    accountId: row.account_id,
    deviceName: calledName(row),
    detail: job.action,
    actor,
  }));
  await record(manager, happenings);
}
