import { UpdateState } from '@warren/proto/agent/v1/agent';
import * as z from 'zod';
import { parseRequest } from '../request.ts';
import { makePrivateFolder } from '../system/files.ts';
import { UpdateJob, type JobParts } from './job.ts';
import type { Places } from './places.ts';
import {
  outcomeSchema,
  readRecord,
  requestSchema,
  trialSchema,
  writeRecord,
  type Trial,
  type UpdateRequest,
} from './records.ts';
import { refuseDowngrade, versionText } from './release.ts';

/** The progress of an offered version. */
export interface UpdateAnswer {
  state: UpdateState;
  why: string;
  terminals: number;
  /** Of a version that failed because of them; else 0. */
  crashes: number;
  /** Bytes of the package so far, while it is downloaded. */
  downloaded?: bigint;
}

export interface UpdatesParts extends JobParts {
  /** The running version. */
  version: string;
}

const packageJson = z.object({ version: versionText });

/** The version in a folder of `versions`; undefined when it has none. */
export async function versionIn(places: Places, folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  return (await readRecord(`${places.version(folder)}/package.json`, packageJson))?.version;
}

/** Handles the hub's offers of other versions, one at a time. */
export class Updates {
  private readonly parts: UpdatesParts | undefined;
  private job: UpdateJob | undefined;
  /** Jobs run in sequence: two must not write the same download. */
  private settled: Promise<void> = Promise.resolve();

  /** @param parts undefined for an agent that was not installed as a service: it can't install a version */
  constructor(parts: UpdatesParts | undefined) {
    this.parts = parts;
  }

  /**
   * Accepts an offer, for the first time or again.
   * @throws ConnectError `invalid_argument`
   */
  async offer(untrusted: { offer: string; version: string; back: boolean }): Promise<UpdateAnswer> {
    const request = parseRequest(requestSchema, untrusted);
    if (!this.parts)
      return this.failed('its agent was not installed with a service that can update it: run the installer again');
    const { places, version } = this.parts;
    const trial = await readRecord(places.trial, trialSchema);
    if (trial) return this.onTrial(trial, request, this.parts);
    const outcome = await readRecord(places.outcome, outcomeSchema);
    if (outcome?.offer === request.offer && outcome.version === request.version && outcome.state === 'failed')
      return this.answer(UpdateState.FAILED, outcome.why, outcome.crashes);
    if (request.version === version) return this.stay();
    return (await this.refusal(request, this.parts)) ?? this.continue(request, this.parts);
  }

  stop(): void {
    this.job?.stop();
  }

  /** An offer of the former version ends the trial: the updater checks for it. */
  private async onTrial(
    trial: Trial,
    request: UpdateRequest,
    { places, version }: UpdatesParts,
  ): Promise<UpdateAnswer> {
    if (request.back && !trial.back && request.version === (await versionIn(places, trial.from))) {
      await makePrivateFolder(places.inbox);
      await writeRecord(places.request, request);
    }
    return this.answer(request.version === version ? UpdateState.TRIAL : UpdateState.WORKING);
  }

  /** The offered version already runs: cancels any other update, unless it is being installed. */
  private stay(): UpdateAnswer {
    if (this.job?.state === 'handed') return this.answer(UpdateState.WORKING);
    this.job?.stop();
    this.job = undefined;
    return this.answer(UpdateState.DONE);
  }

  private async refusal({ version, back }: UpdateRequest, parts: UpdatesParts): Promise<UpdateAnswer | undefined> {
    if (back) {
      const kept = await versionIn(parts.places, await parts.places.folderOf('previous'));
      return kept === version ? undefined : this.failed(`version ${version} is not kept on this device`);
    }
    try {
      refuseDowngrade(version, parts.version);
      return undefined;
    } catch (error) {
      return this.failed((error as Error).message);
    }
  }

  private async continue(request: UpdateRequest, parts: UpdatesParts): Promise<UpdateAnswer> {
    const job = this.job;
    if (!job || job.request.offer !== request.offer || job.request.version !== request.version) {
      // An update that is being installed can't be cancelled.
      if (job?.state === 'handed') return this.answer(UpdateState.WORKING);
      job?.stop();
      const next = new UpdateJob(request, parts);
      this.job = next;
      this.settled = this.settled.then(() => next.run());
      return this.answer(UpdateState.WORKING);
    }
    job.heard();
    if (job.state === 'failed') return this.failed(job.why);
    if (job.state === 'retrying') return this.answer(UpdateState.DOWNLOAD_FAILED, job.why);
    if (job.state === 'waiting') return this.answer(UpdateState.WAITING);
    return { ...this.answer(UpdateState.WORKING), downloaded: BigInt(await job.downloaded()) };
  }

  private failed(why: string): UpdateAnswer {
    return this.answer(UpdateState.FAILED, why);
  }

  private answer(state: UpdateState, why = '', crashes = 0): UpdateAnswer {
    return { state, why, crashes, terminals: this.parts?.terminals(this.job?.request.back ?? false) ?? 0 };
  }
}
