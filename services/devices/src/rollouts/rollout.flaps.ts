import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { rolloutDevices } from '../telemetry/metrics.ts';
import { FLAPS_WEIGHT } from './rollout.limits.ts';
import { rolloutChanged, SHOWN_STATE, SHOWN_STATES } from './rollout.row.ts';
import { TRIAL_SECONDS } from './rollout.trial.ts';

const EVERY_MS = 10_000;

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

/** Finds devices on which a version flaps, without their word, and counts what became of devices. */
@Injectable()
export class RolloutFlaps implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: RolloutFlaps.name,
    everyMs: EVERY_MS,
    failed: 'Looking for versions that flap failed',
    round: () => this.look(),
  });

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @Inject(TRIAL_SECONDS) private readonly trialSeconds: number,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** One look at all of them. */
  async look(): Promise<void> {
    const [first] = await this.source.query<{ found: boolean }[]>(ANY_ON_FIRST_DAY);
    if (first?.found) await this.judge();
    const counted = await this.source.query<{ state: string; count: number }[]>(COUNT);
    const counts = new Map(counted.map(({ state, count }) => [state, count]));
    for (const state of SHOWN_STATES) rolloutDevices.set({ state }, counts.get(state) ?? 0);
  }

  private judge(): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      const [flapping] = await manager.query<[Changed[], number]>(FIND, [this.trialSeconds]);
      const [back] = await manager.query<[Changed[], number]>(GONE_BACK);
      for (const id of new Set([...flapping, ...back].map(({ rollout_id: rollout }) => rollout)))
        emit(rolloutChanged(id));
    });
  }
}

interface Changed {
  rollout_id: string;
}
