import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Backoff, type BackoffLimits } from '../link/backoff.ts';
import { readSmall } from '../system/files.ts';
import { fetchPackage, fetchSmall } from './download.ts';
import type { Places } from './places.ts';
import { outcomeSchema, readRecord, writeRecord, type UpdateRequest } from './records.ts';
import { packageOf, UpdateRefused } from './release.ts';

const TRIES = 3;
const AGAIN: BackoffLimits = { first: 5_000, cap: 30_000, factor: 2 };
/** Devices that are offered a version together don't ask for it in the same moment. */
const SPREAD_MS = 3_000;
const LOOK_MS = 500;
/** An offer that the hub has not repeated for so long counts no more. */
const OFFER_MS = 5 * 60_000;
/** What the updater may take until it ends this process. */
const HANDED_MS = 5 * 60_000;

export interface JobParts {
  places: Places;
  /** Address of the hub. */
  hub: string;
  /** Its being there asks for the updater. */
  trigger: string;
  /** How many terminals are open. */
  terminals: () => number;
  /** No terminal may be opened from now on; the answer lifts that. */
  refuseTerminals: () => () => void;
  log: Logger;
}

/** One update on its way: downloaded and checked, waiting until no terminal is open, handed to the updater. */
export class UpdateJob {
  readonly request: UpdateRequest;
  readonly #parts: JobParts;
  readonly #stop = new AbortController();
  #heard = performance.now();
  state: 'working' | 'waiting' | 'handed' | 'failed' = 'working';
  why = '';

  constructor(request: UpdateRequest, parts: JobParts) {
    this.request = request;
    this.#parts = parts;
  }

  /** The hub still wants it. */
  heard(): void {
    this.#heard = performance.now();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Settles when it failed, or was stopped; never rejects. */
  async run(): Promise<void> {
    const { log } = this.#parts;
    const { version, offer } = this.request;
    try {
      log.info({ version, offer }, 'update begins');
      await this.#prepare();
      await this.#handOver();
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.state = 'failed';
      this.why = error instanceof Error ? error.message : String(error);
      log.error({ version, offer, why: this.why }, 'update failed');
    }
  }

  async #prepare(): Promise<void> {
    const { inbox } = this.#parts.places;
    await rm(inbox, { recursive: true, force: true });
    await mkdir(inbox, { mode: 0o700 });
    if (!this.request.back) await this.#tryAgain(() => this.#download());
    await writeRecord(this.#parts.places.request, this.request);
  }

  async #tryAgain(work: () => Promise<void>): Promise<void> {
    const backoff = new Backoff();
    await this.#pause(Math.random() * SPREAD_MS);
    for (let tried = 1; ; tried++) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof UpdateRefused || tried === TRIES) throw error;
        await this.#pause(backoff.next(AGAIN));
      }
    }
  }

  async #download(): Promise<void> {
    const { places, hub } = this.#parts;
    const { version } = this.request;
    const base = `/install/releases/${encodeURIComponent(version)}`;
    const manifest = await fetchSmall(hub, `${base}/manifest.json`);
    const signature = await fetchSmall(hub, `${base}/manifest.json.sig`);
    const key = await readSmall(places.releaseKey);
    const wanted = packageOf({ manifest, signature: signature.toString(), key }, version);
    await writeFile(places.manifest, manifest, { mode: 0o600 });
    await writeFile(places.signature, signature, { mode: 0o600 });
    await fetchPackage(hub, `${base}/${wanted.file}`, wanted, places.package);
  }

  async #handOver(): Promise<void> {
    const { terminals, refuseTerminals, trigger, places, log } = this.#parts;
    const before = await readRecord(places.outcome, outcomeSchema);
    while (terminals() > 0 || performance.now() - this.#heard > OFFER_MS) {
      this.state = 'waiting';
      await this.#pause(LOOK_MS);
    }
    this.state = 'handed';
    const allow = refuseTerminals();
    try {
      log.info({ version: this.request.version }, 'update is handed to the updater');
      await writeFile(trigger, '');
      await this.#outcome(before?.at);
    } finally {
      allow();
    }
  }

  /** The updater ends this process, unless it refuses. */
  async #outcome(before: string | undefined): Promise<never> {
    const { places, trigger } = this.#parts;
    const until = performance.now() + HANDED_MS;
    while (performance.now() < until) {
      await this.#pause(LOOK_MS);
      const outcome = await readRecord(places.outcome, outcomeSchema);
      if (outcome && outcome.offer === this.request.offer && outcome.at !== before)
        throw new UpdateRefused(outcome.why || 'the updater left this version as it was');
    }
    const untaken = await access(trigger).then(
      () => true,
      () => false,
    );
    await rm(trigger, { force: true });
    throw new Error(
      untaken ? 'the updater did not begin: see systemctl status warren-agent-update.path' : 'the updater did not end',
    );
  }

  #pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.#stop.signal, ref: false });
  }
}
