import type { Sql } from '@warren/platform/database/sql';
import type { Wave } from './bulk.sql.ts';

/** A device of a wave that an action has changed. */
interface DoneDevice {
  id: string;
  account_id: string;
  name: string;
  custom_name: string;
}

/** Reads devices of a wave with which it is done, in the account where they were selected. */
export function readDone(sql: Sql, of: Wave, deviceIds: readonly string[]): Promise<DoneDevice[]> {
  return sql.query(
    `SELECT d.id, d.account_id, d.name, d.custom_name
     FROM bulk_devices b JOIN devices d ON d.id = b.device_id AND d.account_id = b.account_id
     WHERE b.job_id = $1 AND b.wave = $2 AND b.state = 'done' AND b.device_id = ANY($3::uuid[])`,
    [of.jobId, of.wave, deviceIds],
  );
}
