/** Refusals that are about a person's rights or the selection, not about the device. */
const NOT_OF_THE_DEVICE = ['not_found', 'permission_denied', 'rights_withdrawn', 'moved'];

/** What an action changes: to enable something and to disable it change the same. */
const subject = (job: string) => `regexp_replace(${job}.action, '^(enable|disable)_', '')`;

/** Devices on which a finished bulk job failed, and no later one with the same action succeeded: in which of some accounts that was, the action and the reason. */
export const failedJobs = (accountIds: string) => `
  SELECT DISTINCT ON (b.device_id) b.device_id, b.account_id, j.action, b.reason
  FROM bulk_jobs j JOIN bulk_devices b ON b.job_id = j.id AND b.state = 'failed' AND b.account_id = ANY(${accountIds})
  WHERE j.state <> 'running' AND b.code NOT IN (${NOT_OF_THE_DEVICE.map((code) => `'${code}'`).join()}) AND NOT EXISTS (
    SELECT FROM bulk_jobs s JOIN bulk_devices e ON e.job_id = s.id AND e.device_id = b.device_id AND e.state = 'done'
    WHERE s.created > j.created AND ${subject('s')} = ${subject('j')})
  ORDER BY b.device_id, j.created DESC`;
