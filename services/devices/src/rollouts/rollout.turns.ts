import { Inject, Injectable } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import semver from 'semver';
import { DataSource, type EntityManager } from 'typeorm';
import { UpdateWindowsService } from '../windows/update.windows.service.ts';
import { AT_ONCE, AWAY_MINUTES, BUSY_HOURS, DOWNLOAD_HOURS, tooManyFailed, WORKING_HOURS } from './rollout.limits.ts';
import { IS_FOR, isLost, isTaken, LOST, rolloutChanged, type RolloutStateName } from './rollout.row.ts';
import { idsOf } from './rollout.waits.ts';

interface Running {
  id: string;
  version: string;
  state: RolloutStateName;
  share: number;
  seen_failed: number;
  seen_tried: number;
}

/** Rollouts with devices that work on them: also those that paused or ended meanwhile, or whose device was retried. */
const WITH_DEVICES = `state IN ('running', 'paused', 'done')`;

interface Step {
  /** The states of rollouts that it is for. */
  in: readonly RolloutStateName[];
  /** Of rollout $1; $2 are accounts whose windows are closed, if it says so. */
  sql: string;
  windows?: true;
}

/** Whose turn it is, and what has taken too long. */
const OVERDUE: Step[] = [
  {
    in: ['running', 'paused', 'done'],
    // They would begin when the terminals are closed or the download succeeds. Those that a person retried may.
    sql: `DELETE FROM rollout_devices r USING devices d WHERE d.id = r.device_id AND r.rollout_id = $1
      AND r.state IN ('busy', 'download_failed') AND r.retries = 0 AND d.account_id = ANY($2::uuid[])`,
    windows: true,
  },
  {
    in: ['running', 'paused', 'done'],
    // Stays when it has been away before it was asked: it may not even know.
    sql: `UPDATE rollout_devices r SET state = 'failed', blamed = true, why = '${LOST}', since = now() FROM devices d
      WHERE d.id = r.device_id AND r.rollout_id = $1 AND r.state = 'updating' AND r.asked IS NOT NULL AND NOT d.connected
        AND d.status_since < now() - interval '${AWAY_MINUTES} minutes'`,
  },
  {
    in: ['running', 'paused', 'done'],
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = true, why = 'it was not done within ${WORKING_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'updating' AND GREATEST(since, progressed) < now() - interval '${WORKING_HOURS} hours'`,
  },
  {
    in: ['running', 'paused', 'done'],
    // Nothing to do with the version; and no device may say for ever that it downloads.
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = false, why = 'its download took more than ${DOWNLOAD_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'updating' AND tried IS NULL AND since < now() - interval '${DOWNLOAD_HOURS} hours'`,
  },
  {
    in: ['running', 'done'],
    // Nothing to do with the version.
    sql: `UPDATE rollout_devices SET state = 'failed', blamed = false, why = 'its terminals stayed open for ${BUSY_HOURS} hours', since = now()
      WHERE rollout_id = $1 AND state = 'busy' AND since < now() - interval '${BUSY_HOURS} hours'`,
  },
  {
    in: ['running'],
    sql: `UPDATE rollout_devices r
      SET state = 'updating', blamed = false, why = '', since = now(), asked = NULL, tried = NULL FROM devices d, rollouts o
      WHERE d.id = r.device_id AND o.id = r.rollout_id AND r.rollout_id = $1 AND ${isLost('r')}
        AND d.connected AND (r.retries > 0 OR d.agent_version = o.version OR NOT d.account_id = ANY($2::uuid[]))`,
    windows: true,
  },
];

/** Decides which devices of a rollout it is the turn of, and when a rollout is over or stops by itself. */
@Injectable()
export class RolloutTurns {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly windows: UpdateWindowsService,
  ) {}

  /** One round over all that run, and those whose devices are still at it. @returns how many there are */
  async take(): Promise<number> {
    const running = await this.source.query<{ id: string }[]>(
      `SELECT id FROM rollouts WHERE state = 'running' OR (${WITH_DEVICES} AND id IN
         (SELECT rollout_id FROM rollout_devices WHERE state IN ('updating', 'busy')))`,
    );
    const closed = running.length > 0 ? idsOf(await this.windows.closed()) : [];
    for (const { id } of running) await this.one(id, closed);
    return running.length;
  }

  private one(id: string, closed: readonly string[]): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      const [rollout] = await manager.query<Running[]>(
        `SELECT id, version, state, share, seen_failed, seen_tried FROM rollouts
         WHERE id = $1 AND ${WITH_DEVICES} FOR UPDATE SKIP LOCKED`,
        [id],
      );
      if (!rollout) return;
      let changed = 0;
      for (const { in: states, sql, windows } of OVERDUE)
        if (states.includes(rollout.state))
          changed += (await manager.query<[unknown[], number]>(sql, windows ? [id, closed] : [id]))[1];
      if (rollout.state === 'running') changed += await this.proceed(manager, rollout, closed);
      if (changed > 0) emit(rolloutChanged(id));
    });
  }

  private async proceed(manager: EntityManager, rollout: Running, closed: readonly string[]): Promise<number> {
    return (await this.stopped(manager, rollout)) ? 1 : this.begin(manager, rollout, closed);
  }

  /** Too many have failed. */
  private async stopped(manager: EntityManager, rollout: Running): Promise<boolean> {
    const [counted] = await manager.query<{ failed: number; tried: number; flapping: number }[]>(
      `SELECT count(*) FILTER (WHERE state = 'failed' AND blamed)::integer AS failed,
         count(*) FILTER (WHERE state = 'updated' OR (state = 'failed' AND blamed))::integer AS tried,
         count(*) FILTER (WHERE state = 'failed' AND crashes > 0)::integer AS flapping
       FROM rollout_devices WHERE rollout_id = $1`,
      [rollout.id],
    );
    const failed = (counted?.failed ?? 0) - rollout.seen_failed;
    const tried = (counted?.tried ?? 0) - rollout.seen_tried;
    if (!tooManyFailed(failed, tried)) return false;
    const flapping = counted?.flapping ?? 0;
    await manager.query(`UPDATE rollouts SET state = 'paused', why = $2 WHERE id = $1`, [
      rollout.id,
      `${failed} of ${tried} devices that tried it failed${flapping > 0 ? `; it flaps on ${flapping}` : ''}`,
    ]);
    return true;
  }

  private async begin(manager: EntityManager, rollout: Running, closed: readonly string[]): Promise<number> {
    const [working] = await manager.query<{ count: number }[]>(
      `SELECT count(*)::integer AS count FROM rollout_devices WHERE rollout_id = $1 AND state = 'updating'`,
      [rollout.id],
    );
    const room = AT_ONCE - (working?.count ?? 0);
    const [rows, count] = room > 0 ? await insert(manager, rollout, room, closed) : [[], 0];
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

/** A device that works on another rollout, or goes back from one, is left to it; one whose account's window is closed waits. */
function insert(
  manager: EntityManager,
  { id }: Running,
  room: number,
  closed: readonly string[],
): Promise<[Begun[], number]> {
  return manager
    .query<Begun[]>(
      `INSERT INTO rollout_devices (rollout_id, device_id, state, from_version)
       SELECT o.id, d.id, 'updating', d.agent_version FROM rollouts o JOIN devices d ON ${IS_FOR}
       WHERE o.id = $1 AND d.connected AND NOT d.account_id = ANY($2::uuid[]) AND NOT EXISTS (
         SELECT FROM rollout_devices r WHERE r.device_id = d.id AND (r.rollout_id = o.id OR ${isTaken('r')}))
       LIMIT ${room} ON CONFLICT DO NOTHING RETURNING device_id, from_version`,
      [id, closed],
    )
    .then((rows) => [rows, rows.length]);
}

/** All have it, none is at it, and none that was lost has come back and waits for its window. */
async function endIfOver(manager: EntityManager, { id, share }: Running): Promise<number> {
  if (share < 100) return 0;
  const [, count] = await manager.query<[unknown[], number]>(
    `UPDATE rollouts o SET state = 'done' WHERE o.id = $1
       AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.state IN ('updating', 'busy', 'download_failed'))
       AND NOT EXISTS (SELECT FROM rollout_devices r JOIN devices d ON d.id = r.device_id
         WHERE r.rollout_id = o.id AND ${isLost('r')} AND d.connected AND ${IS_FOR})
       AND NOT EXISTS (SELECT FROM devices d WHERE ${IS_FOR}
         AND NOT EXISTS (SELECT FROM rollout_devices r WHERE r.rollout_id = o.id AND r.device_id = d.id))`,
    [id],
  );
  return count;
}
