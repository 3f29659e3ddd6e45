import { Inject, Injectable } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import semver from 'semver';
import { DataSource, type EntityManager } from 'typeorm';
import { AT_ONCE, AWAY_MINUTES, BUSY_HOURS, tooManyFailed, WORKING_HOURS } from './rollout.limits.ts';
import { IS_FOR, rolloutChanged } from './rollout.row.ts';

interface Running {
  id: string;
  version: string;
  share: number;
  seen_failed: number;
  seen_tried: number;
}

/** What a device that never came back is told to have done; when it does come back, it is asked again. */
const LOST = 'it did not come back after the update began';

/** Whose turn it is, and what has taken too long. */
const OVERDUE = [
  {
    // Stays when it has been away before it was asked: it may not even know.
    sql: `UPDATE rollout_devices r SET state = 'failed', blamed = true, why = '${LOST}', since = now() FROM devices d
      WHERE d.id = r.device_id AND r.rollout_id = $1 AND r.state = 'updating' AND r.asked IS NOT NULL AND NOT d.connected
        AND d.status_since < now() - interval '${AWAY_MINUTES} minutes'`,
  },
  {
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = true, why = 'it was not done within ${WORKING_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'updating' AND since < now() - interval '${WORKING_HOURS} hours'`,
  },
  {
    // Nothing to do with the version.
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = false, why = 'its terminals stayed open for ${BUSY_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'busy' AND since < now() - interval '${BUSY_HOURS} hours'`,
  },
  {
    sql: `UPDATE rollout_devices r SET state = 'updating', blamed = false, why = '', since = now(), asked = NULL FROM devices d
      WHERE d.id = r.device_id AND r.rollout_id = $1 AND r.state = 'failed' AND r.why = '${LOST}' AND d.connected`,
  },
];

/** Decides which devices of a rollout it is the turn of, and when a rollout is over or stops by itself. */
@Injectable()
export class RolloutTurns {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** One round over all that run. */
  async take(): Promise<void> {
    const running = await this.source.query<{ id: string }[]>(`SELECT id FROM rollouts WHERE state = 'running'`);
    for (const { id } of running) await this.one(id);
  }

  private one(id: string): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      const [rollout] = await manager.query<Running[]>(
        `SELECT id, version, share, seen_failed, seen_tried FROM rollouts
         WHERE id = $1 AND state = 'running' FOR UPDATE SKIP LOCKED`,
        [id],
      );
      if (!rollout) return;
      let changed = 0;
      for (const { sql } of OVERDUE) changed += (await manager.query<[unknown[], number]>(sql, [id]))[1];
      if (await this.stopped(manager, rollout)) changed++;
      else changed += await this.begin(manager, rollout);
      if (changed > 0) emit(rolloutChanged(id));
    });
  }

  /** Too many have failed. */
  private async stopped(manager: EntityManager, rollout: Running): Promise<boolean> {
    const [counted] = await manager.query<{ failed: number; tried: number }[]>(
      `SELECT count(*) FILTER (WHERE state = 'failed' AND blamed)::integer AS failed,
         count(*) FILTER (WHERE state = 'updated' OR (state = 'failed' AND blamed))::integer AS tried
       FROM rollout_devices WHERE rollout_id = $1`,
      [rollout.id],
    );
    const failed = (counted?.failed ?? 0) - rollout.seen_failed;
    const tried = (counted?.tried ?? 0) - rollout.seen_tried;
    if (!tooManyFailed(failed, tried)) return false;
    await manager.query(`UPDATE rollouts SET state = 'paused', why = $2 WHERE id = $1`, [
      rollout.id,
      `${failed} of ${tried} devices that tried it failed`,
    ]);
    return true;
  }

  private async begin(manager: EntityManager, rollout: Running): Promise<number> {
    const [working] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM rollout_devices WHERE rollout_id = $1 AND state = 'updating'`,
      [rollout.id],
    );
    const room = AT_ONCE - (working?.count ?? 0);
    const [rows, count] = room > 0 ? await insert(manager, rollout, room) : [[], 0];
    const newer = rows.filter(({ from_version: from }) => semver.valid(from) && semver.gt(from, rollout.version));
    if (newer.length > 0)
      await manager.query(
        `UPDATE rollout_devices SET state = 'newer' WHERE rollout_id = $1 AND device_id = ANY($2::uuid[])`,
        [rollout.id, newer.map(({ device_id: device }) => device)],
      );
    return count > 0 ? count : endIfOver(manager, rollout);
  }
}

type Begun = { device_id: string; from_version: string };

/** A device that works on another rollout, or goes back from one, is left to it. */
function insert(manager: EntityManager, { id }: Running, room: number): Promise<[Begun[], number]> {
  return manager
    .query<Begun[]>(
      `INSERT INTO rollout_devices (rollout_id, device_id, state, from_version)
       SELECT o.id, d.id, 'updating', d.agent_version FROM rollouts o JOIN devices d ON ${IS_FOR}
       WHERE o.id = $1 AND d.connected AND NOT EXISTS (
         SELECT FROM rollout_devices r WHERE r.device_id = d.id
           AND (r.rollout_id = o.id OR r.state = 'returning' OR (r.state IN ('updating', 'busy') AND r.since > now() - interval '1 day'
             AND EXISTS (SELECT FROM rollouts other WHERE other.id = r.rollout_id AND other.state IN ('running', 'paused')))))
       LIMIT ${room} ON CONFLICT DO NOTHING RETURNING device_id, from_version`,
      [id],
    )
    .then((rows) => [rows, rows.length]);
}

/** All have it, and none is at it. */
async function endIfOver(manager: EntityManager, { id, share }: Running): Promise<number> {
  if (share < 100) return 0;
  const [, count] = await manager.query<[unknown[], number]>(
    `UPDATE rollouts o SET state = 'done' WHERE o.id = $1
       AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.state IN ('updating', 'busy'))
       AND NOT EXISTS (SELECT FROM devices d WHERE ${IS_FOR}
         AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.device_id = d.id))`,
    [id],
  );
  return count;
}
