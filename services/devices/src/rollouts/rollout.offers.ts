import { Inject, Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { UpdateState } from '@warren/proto/agent/v1/agent';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { DataSource } from 'typeorm';
import { ASK_BUSY_S, ASK_WORKING_S, AT_ONCE } from './rollout.limits.ts';
import { rolloutChanged, type DeviceStateName } from './rollout.row.ts';

/** A little longer than the replica waits for the device. */
const ANSWER_MS = 7_000;
const WHY_MAX = 300;

interface Due {
  rollout_id: string;
  device_id: string;
  state: 'updating' | 'busy' | 'returning';
  version: string;
  from_version: string;
  replica: string | null;
}

/** What a device's answer makes of it. */
interface Result {
  due: Due;
  state: DeviceStateName;
  why: string;
}

/** Those whose turn it is to be asked; nobody else asks them meanwhile. */
const CLAIM = `
  UPDATE rollout_devices r SET asked = now()
  FROM (
    SELECT r.rollout_id, r.device_id, o.version, d.connection_replica AS replica
    FROM rollout_devices r JOIN rollouts o ON o.id = r.rollout_id JOIN devices d ON d.id = r.device_id
    WHERE r.state IN ('updating', 'busy', 'returning') AND d.connected
      AND ((r.state = 'updating' AND o.state IN ('running', 'paused', 'done'))
        OR (r.state = 'busy' AND o.state = 'running') OR (r.state = 'returning' AND o.state = 'rolled_back'))
      AND (r.asked IS NULL
        OR r.asked < now() - CASE WHEN r.state = 'busy' AND d.agent_version <> o.version
          THEN interval '${ASK_BUSY_S} s' ELSE interval '${ASK_WORKING_S} s' END)
    ORDER BY r.asked NULLS FIRST LIMIT ${AT_ONCE} FOR UPDATE OF r SKIP LOCKED
  ) due
  WHERE r.rollout_id = due.rollout_id AND r.device_id = due.device_id
  RETURNING r.rollout_id, r.device_id, r.state, r.from_version, due.version, due.replica`;

/** Offers versions to devices, and takes their answers in. An offer that is made again asks how far it is. */
@Injectable()
export class RolloutOffers {
  private readonly log = new Logger(RolloutOffers.name);

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @InjectRpc(TunnelsService) private readonly tunnels: RpcClient<typeof TunnelsService>,
  ) {}

  /** Asks all that are due, and settles when they have answered. */
  async make(): Promise<void> {
    const [due] = await this.source.query<[Due[], number]>(CLAIM);
    const results = (await Promise.all(due.map((one) => this.ask(one)))).filter((result) => result !== undefined);
    const news = results.filter(({ due: { state }, state: then }) => state !== then);
    if (news.length > 0) await this.write(news);
  }

  private async ask(due: Due): Promise<Result | undefined> {
    if (due.replica === null) return undefined;
    const back = due.state === 'returning';
    const offer = { offer: due.rollout_id, version: back ? due.from_version : due.version, back };
    try {
      const options = { instance: due.replica, timeoutMs: ANSWER_MS };
      const { answer } = await this.tunnels.offerUpdate(
        serviceCaller('devices'),
        { deviceId: due.device_id, offer },
        options,
      );
      return resultOf(due, answer?.state, answer?.why ?? '');
    } catch (error) {
      const lasting = error instanceof Fault && ['failed_precondition', 'invalid_argument'].includes(error.code);
      if (lasting) return { due, state: 'failed', why: (error as Fault).message };
      // Gone for a moment: its turn comes again.
      this.log.debug({ err: error, device: due.device_id }, 'A device was not there for its offer.');
      return undefined;
    }
  }

  private write(news: Result[]): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      await manager.query(
        `UPDATE rollout_devices r SET state = news.state, why = news.why, blamed = news.state = 'failed', since = now()
         FROM jsonb_to_recordset($1) AS news (rollout uuid, device uuid, before text, state text, why text)
         WHERE r.rollout_id = news.rollout AND r.device_id = news.device AND r.state = news.before`,
        [
          JSON.stringify(
            news.map(({ due, state, why }) => ({
              ...{ rollout: due.rollout_id, device: due.device_id, before: due.state, state },
              why: why.slice(0, WHY_MAX),
            })),
          ),
        ],
      );
      for (const id of new Set(news.map(({ due }) => due.rollout_id))) emit(rolloutChanged(id));
    });
  }
}

function resultOf(due: Due, answered: UpdateState | undefined, why: string): Result | undefined {
  const back = due.state === 'returning';
  if (answered === UpdateState.DONE) return { due, state: back ? 'returned' : 'updated', why: '' };
  if (answered === UpdateState.FAILED) return { due, state: 'failed', why: why || 'it gave no reason' };
  if (back) return undefined;
  if (answered === UpdateState.WAITING) return { due, state: 'busy', why: '' };
  return answered === UpdateState.WORKING ? { due, state: 'updating', why: '' } : undefined;
}
