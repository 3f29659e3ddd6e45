import type { Sql } from '@warren/platform/database/sql';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import type { EntityManager } from 'typeorm';
import { FLAPS_WEIGHT } from './rollout.limits.ts';
import { SHOWN_STATE } from './rollout.row.ts';

interface Changed {
  rollout_id: string;
}

/** A device on the first day of a version. */
const ON_FIRST_DAY = `r.state IN ('updating', 'updated') AND r.tried > now() - interval '1 day'`;

const ANY_ON_FIRST_DAY = `SELECT EXISTS (SELECT FROM rollout_devices r WHERE ${ON_FIRST_DAY}) AS found`;

/**
 * A break weighs 1 when the link was up for no longer than a trial ($1 seconds); each doubling of that time halves it. Those of the day
 * before are the network's. Only a device whose link came or went lately can have begun to flap.
 */
const FIND = `
  UPDATE rollout_devices r SET state = 'failed', blamed = true, since = now(), crashes = flaps.breaks,
    why = format('its link broke %s times within %s minutes of the update', flaps.breaks, flaps.minutes)
  FROM (
    SELECT r.rollout_id, r.device_id, links.breaks, GREATEST(1, round(extract(epoch FROM now() - r.tried) / 60)) AS minutes
    FROM rollout_devices r JOIN rollouts o ON o.id = r.rollout_id JOIN devices d ON d.id = r.device_id
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE at > r.tried) AS breaks,
        sum(CASE WHEN at > r.tried THEN weight ELSE -weight END) AS weight
      FROM (
        SELECT at, kind, lag(kind) OVER past AS former,
          LEAST(1, $1::float8 / GREATEST(extract(epoch FROM at - lag(at) OVER past), 1)) AS weight
        FROM device_history WHERE device_id = r.device_id AND at > r.tried - interval '1 day'
        WINDOW past AS (ORDER BY at, id)
      ) h WHERE kind = ${ActivityKind.DISCONNECTED} AND former = ${ActivityKind.CONNECTED}
    ) links
    WHERE ${ON_FIRST_DAY} AND o.state <> 'rolled_back' AND d.status_since > now() - interval '1 minute'
      AND links.weight >= ${FLAPS_WEIGHT}
  ) flaps
  WHERE r.rollout_id = flaps.rollout_id AND r.device_id = flaps.device_id AND ${ON_FIRST_DAY}
  RETURNING r.rollout_id`;

/** Those that run the former version again are asked why. */
const GONE_BACK = `
  UPDATE rollout_devices r SET state = 'updating', since = now(), tried = NULL, asked = NULL
  FROM rollouts o, devices d
  WHERE o.id = r.rollout_id AND o.state <> 'rolled_back' AND d.id = r.device_id AND ${ON_FIRST_DAY}
    AND r.state = 'updated' AND d.connected AND d.agent_version = r.from_version
  RETURNING r.rollout_id`;

const COUNT = `
  SELECT ${SHOWN_STATE} AS state, count(*)::integer AS count FROM rollout_devices r JOIN rollouts o ON o.id = r.rollout_id
  WHERE r.since > now() - interval '1 day' AND o.state <> 'rolled_back' GROUP BY 1`;

/** Tells whether any device is on the first day of a version. */
export async function hasOnFirstDay(sql: Sql): Promise<boolean> {
  const [first] = await sql.query<{ found: boolean }[]>(ANY_ON_FIRST_DAY);
  return first?.found === true;
}

/** Fails devices whose link breaks too often since the update. @param trialSeconds how long a trial lasts @returns their rollouts' ids */
export async function failFlapping(manager: EntityManager, trialSeconds: number): Promise<string[]> {
  const [changed] = await manager.query<[Changed[], number]>(FIND, [trialSeconds]);
  return changed.map((row) => row.rollout_id);
}

/** Has devices asked that run their former version again. @returns their rollouts' ids */
export async function askGoneBack(manager: EntityManager): Promise<string[]> {
  const [changed] = await manager.query<[Changed[], number]>(GONE_BACK);
  return changed.map((row) => row.rollout_id);
}

/** Counts the devices whose state changed within a day, by the state that people see. */
export async function countShown(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql.query<{ state: string; count: number }[]>(COUNT);
  return new Map(rows.map(({ state, count }) => [state, count]));
}
