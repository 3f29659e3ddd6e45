/** Devices whose last update failed, with its version and the reason. A version that was rolled back is not missed. */
export const FAILED_UPDATES = `
  SELECT DISTINCT ON (r.device_id) r.device_id, o.version, r.why FROM rollout_devices r JOIN rollouts o ON o.id = r.rollout_id
  WHERE r.state = 'failed' AND o.state <> 'rolled_back' AND NOT EXISTS (
    SELECT FROM rollout_devices s WHERE s.device_id = r.device_id AND s.state IN ('updated', 'newer') AND s.since > r.since)
  ORDER BY r.device_id, r.since DESC`;
