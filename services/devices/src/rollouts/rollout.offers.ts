import { Inject, Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { UpdateState, type OfferUpdateResponse } from '@warren/proto/agent/v1/agent';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { DataSource } from 'typeorm';
import { ASK_BUSY_S, ASK_WORKING_S, AT_ONCE } from './rollout.limits.ts';
import { isTaken, rolloutChanged, type DeviceStateName } from './rollout.row.ts';
import { TRIAL_SECONDS } from './rollout.trial.ts';

/** A little longer than the replica waits for the device. */
const ANSWER_MS = 7_000;
const WHY_MAX = 300;
const NO_REASON = 'it gave no reason';

interface Due {
  rollout_id: string;
  device_id: string;
  state: 'updating' | 'busy' | 'download_failed' | 'returning';
  why: string;
  retries: number;
  version: string;
  from_version: string;
  replica: string | null;
  /** It runs the version, and this hub has not seen that for long enough. */
  trial: boolean;
  /** It may pass by now. */
  proved: boolean;
  /** Bytes of the package that it had when it was asked before; a string, as PostgreSQL gives a bigint. */
  downloaded: string;
}

/** What a device's answer makes of it. */
interface Result {
  due: Due;
  state: DeviceStateName;
  why: string;
  trial: boolean;
  crashes: number;
  downloaded: number;
}

/** Claims the devices whose turn it is, so that no other replica offers to them meanwhile. */
const CLAIM = `
  UPDATE rollout_devices r SET asked = now()
  FROM (
    SELECT r.rollout_id, r.device_id, o.version, d.connection_replica AS replica
    FROM rollout_devices r JOIN rollouts o ON o.id = r.rollout_id JOIN devices d ON d.id = r.device_id
    WHERE r.state IN ('updating', 'busy', 'download_failed', 'returning') AND d.connected
      AND ((r.state = 'updating' AND o.state IN ('running', 'paused', 'done'))
        -- In a rollout that is done, those that were at it when it ended, or were retried.
        OR (r.state IN ('busy', 'download_failed') AND o.state IN ('running', 'done'))
        OR (r.state = 'returning' AND o.state = 'rolled_back'))
      -- An open rollout has its devices to itself.
      AND NOT (o.state = 'done' AND EXISTS (SELECT FROM rollout_devices n
        WHERE n.device_id = r.device_id AND n.rollout_id <> r.rollout_id AND ${isTaken('n')}))
      AND (r.asked IS NULL
        OR r.asked < now() - CASE WHEN r.state IN ('busy', 'download_failed') AND d.agent_version <> o.version
          THEN interval '${ASK_BUSY_S} s' ELSE interval '${ASK_WORKING_S} s' END)
    ORDER BY r.asked NULLS FIRST LIMIT ${AT_ONCE} FOR UPDATE OF r SKIP LOCKED
  ) due
  WHERE r.rollout_id = due.rollout_id AND r.device_id = due.device_id
  RETURNING r.rollout_id, r.device_id, r.state, r.why, r.retries, r.from_version, r.downloaded, due.version, due.replica,
    r.tried IS NOT NULL AS trial, COALESCE(r.tried, now()) <= now() - make_interval(secs => $1) AS proved`;

/** Offers versions to devices, and takes their answers in. An offer that is made again asks how far it is. */
@Injectable()
export class RolloutOffers {
  private readonly log = new Logger(RolloutOffers.name);

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    @InjectRpc(TunnelsService) private readonly tunnels: RpcClient<typeof TunnelsService>,
    @Inject(TRIAL_SECONDS) private readonly trialSeconds: number,
  ) {}

  /** Asks all that are due, and settles when they have answered. @returns how many were due */
  async make(): Promise<number> {
    const [due] = await this.source.query<[Due[], number]>(CLAIM, [this.trialSeconds]);
    const results = (await Promise.all(due.map((one) => this.ask(one)))).filter((result) => result !== undefined);
    const news = results.filter(
      ({ due, state, why, trial }) => due.state !== state || due.why !== why || due.trial !== trial,
    );
    if (news.length > 0) await this.write(news);
    await this.progress(results.filter(({ due, downloaded }) => downloaded !== Number(due.downloaded)));
    return due.length;
  }

  private async ask(due: Due): Promise<Result | undefined> {
    if (due.replica === null) return undefined;
    const back = due.state === 'returning';
    // An agent takes a version that failed only from another offer.
    const name = due.retries === 0 ? due.rollout_id : `${due.rollout_id}-${due.retries}`;
    const offer = { offer: name, version: back ? due.from_version : due.version, back };
    try {
      const options = { instance: due.replica, timeoutMs: ANSWER_MS };
      const { answer } = await this.tunnels.offerUpdate(
        serviceCaller('devices'),
        { deviceId: due.device_id, offer },
        options,
      );
      return resultOf(due, answer);
    } catch (error) {
      const lasting = error instanceof Fault && ['failed_precondition', 'invalid_argument'].includes(error.code);
      if (lasting) return result(due, 'failed', { why: (error as Fault).message });
      // Gone for a moment: its turn comes again.
      this.log.debug({ err: error, device: due.device_id }, 'A device was not there for its offer.');
      return undefined;
    }
  }

  /** Updates the progress without an event. */
  private async progress(results: Result[]): Promise<void> {
    if (results.length === 0) return;
    const rows = results.map(({ due, downloaded }) => ({
      rollout: due.rollout_id,
      device: due.device_id,
      retries: due.retries,
      downloaded,
    }));
    await this.source.query(
      `UPDATE rollout_devices r SET downloaded = p.downloaded,
         progressed = CASE WHEN p.downloaded > r.downloaded THEN now() ELSE r.progressed END
       FROM jsonb_to_recordset($1) AS p (rollout uuid, device uuid, retries integer, downloaded bigint)
       WHERE r.rollout_id = p.rollout AND r.device_id = p.device AND r.retries = p.retries`,
      [JSON.stringify(rows)],
    );
  }

  private write(news: Result[]): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      await manager.query(
        `UPDATE rollout_devices r SET state = news.state, why = news.why, blamed = news.state = 'failed', crashes = news.crashes,
           since = CASE WHEN r.state = news.state AND (r.tried IS NOT NULL OR NOT news.trial) THEN r.since ELSE now() END,
           tried = CASE WHEN news.trial OR news.state = 'updated' THEN COALESCE(r.tried, now()) END
         FROM jsonb_to_recordset($1) AS news
           (rollout uuid, device uuid, before text, retries integer, state text, why text, trial boolean, crashes integer)
         WHERE r.rollout_id = news.rollout AND r.device_id = news.device AND r.state = news.before AND r.retries = news.retries`,
        [
          JSON.stringify(
            news.map(({ due, state, why, trial, crashes }) => ({
              rollout: due.rollout_id,
              device: due.device_id,
              before: due.state,
              retries: due.retries,
              state,
              why,
              trial,
              crashes,
            })),
          ),
        ],
      );
      for (const id of new Set(news.map(({ due }) => due.rollout_id))) emit(rolloutChanged(id));
    });
  }
}

function resultOf(due: Due, answer: OfferUpdateResponse | undefined): Result | undefined {
  if (answer?.state === UpdateState.FAILED)
    return result(due, 'failed', { why: answer.why || NO_REASON, crashes: answer.crashes });
  if (due.state === 'returning') return answer?.state === UpdateState.DONE ? result(due, 'returned') : undefined;
  switch (answer?.state) {
    case UpdateState.DONE:
      // An updater of 0.1.0 has it on trial for seconds only.
      return due.proved ? result(due, 'updated') : result(due, 'updating', { trial: true });
    case UpdateState.DOWNLOAD_FAILED:
      return result(due, 'download_failed', { why: answer.why || NO_REASON });
    case UpdateState.TRIAL:
      return result(due, 'updating', { trial: true });
    case UpdateState.WAITING:
      return result(due, 'busy');
    case UpdateState.WORKING:
      return result(due, 'updating', { downloaded: Number(answer.downloaded) });
    default:
      return undefined;
  }
}

function result(due: Due, state: DeviceStateName, more: Partial<Result> = {}): Result {
  const { why = '', trial = false, crashes = 0, downloaded = 0 } = more;
  return { due, state, why: why.slice(0, WHY_MAX), trial, crashes, downloaded };
}
