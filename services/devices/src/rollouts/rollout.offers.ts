import { Inject, Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { UpdateState, type OfferUpdateResponse } from '@warren/proto/agent/v1/agent';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { DataSource } from 'typeorm';
import { claimDue, writeProgress, writeResults, type Due } from './rollout.offers.sql.ts';
import { rolloutChanged, type DeviceStateName } from './rollout.row.ts';
import { TRIAL_SECONDS } from './rollout.trial.ts';

/** A little longer than the replica waits for the device. */
const ANSWER_MS = 7_000;
const WHY_MAX = 300;
const NO_REASON = 'it gave no reason';

/** What a device's answer makes of it. */
interface Result {
  due: Due;
  state: DeviceStateName;
  why: string;
  trial: boolean;
  crashes: number;
  downloaded: number;
}

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
    const due = await claimDue(this.source, this.trialSeconds);
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
    await writeProgress(this.source, rows);
  }

  private write(news: Result[]): Promise<void> {
    return this.outbox.transaction(async (manager, emit) => {
      const rows = news.map(({ due, state, why, trial, crashes }) => ({
        rollout: due.rollout_id,
        device: due.device_id,
        before: due.state,
        retries: due.retries,
        state,
        why,
        trial,
        crashes,
      }));
      await writeResults(manager, rows);
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
