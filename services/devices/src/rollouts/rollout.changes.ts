import { Fault } from '@warren/platform/errors/fault';
import { RolloutChange } from '@warren/proto/devices/v1/rollouts';
import type { EntityManager } from 'typeorm';
import type { RolloutRow, RolloutStateName } from './rollout.row.ts';

interface Step {
  from: readonly RolloutStateName[];
  word: string;
  sql: readonly string[];
}

/** Failures that a person has seen when resuming do not stop it again. */
const COUNTED = `SELECT count(*) FILTER (WHERE state = 'failed' AND blamed) AS failed,
  count(*) FILTER (WHERE state = 'updated' OR (state = 'failed' AND blamed)) AS tried FROM rollout_devices WHERE rollout_id = $1`;

const STEPS: Partial<Record<RolloutChange, Step>> = {
  [RolloutChange.PAUSE]: {
    from: ['running'],
    word: 'paused',
    sql: [`UPDATE rollouts SET state = 'paused', why = '' WHERE id = $1`],
  },
  [RolloutChange.RESUME]: {
    from: ['paused'],
    word: 'resumed',
    sql: [
      `UPDATE rollouts SET state = 'running', why = '', seen_failed = counted.failed, seen_tried = counted.tried
       FROM (${COUNTED}) counted WHERE id = $1`,
    ],
  },
  [RolloutChange.ROLL_BACK]: {
    from: ['running', 'paused', 'done'],
    word: 'rolled back',
    sql: [
      `UPDATE rollouts SET state = 'rolled_back', why = '' WHERE id = $1`,
      // Those that are at it, too: what they have not put in place yet, they give up.
      `UPDATE rollout_devices SET state = 'returning', why = '', asked = NULL, since = now()
       WHERE rollout_id = $1 AND state IN ('updating', 'busy', 'updated')`,
    ],
  },
  [RolloutChange.END]: {
    from: ['running', 'paused'],
    word: 'ended',
    sql: [
      `UPDATE rollouts SET state = 'done', why = '' WHERE id = $1`,
      // Nobody offers it to them any more, so they stay as they are.
      `DELETE FROM rollout_devices WHERE rollout_id = $1 AND state = 'busy'`,
    ],
  },
};

/**
 * Takes a rollout, whose row is locked, from one state to another.
 * @throws Fault `invalid_argument` for no change; `failed_precondition` for one that its state does not allow
 */
export async function changeRollout(manager: EntityManager, row: RolloutRow, change: RolloutChange): Promise<void> {
  const step = STEPS[change];
  if (!step) throw new Fault('invalid_argument', 'Rollout: expected pause, resume, roll_back or end.');
  if (!step.from.includes(row.state))
    throw new Fault('failed_precondition', `Rollout: it is ${row.state.replace('_', ' ')}, and can't be ${step.word}.`);
  for (const sql of step.sql) await manager.query(sql, [row.id]);
}
