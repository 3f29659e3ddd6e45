import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Backoff, type BackoffLimits } from '../link/backoff.ts';
import { fetchPackage, fetchSmall, sizeOf } from './download.ts';
import { trustedKeys } from './keys.ts';
import { PART, type Places } from './places.ts';
import { outcomeSchema, readRecord, writeRecord, type UpdateRequest } from './records.ts';
import { buildOf, UpdateRefused, type Build, type Package } from './release.ts';
import { runtimeDigest } from './runtime.ts';

const AGAIN: BackoffLimits = { first: 5_000, cap: 600_000, factor: 2 };
/** Devices that get an offer together spread their downloads. */
const SPREAD_MS = 3_000;
const LOOK_MS = 500;
/** An offer expires unless the hub repeats it within this time. */
const OFFER_MS = 5 * 60_000;
/** The updater's time limit until it ends this process. */
const HANDED_MS = 5 * 60_000;

export interface JobParts {
  places: Places;
  /** Address of the hub. */
  hub: string;
  /** Its existence starts the updater. */
  trigger: string;
  /** The number of open terminals that the update would end; `back` means a return to the version before. */
  terminals: (back: boolean) => number;
  /** Blocks new terminals; the returned function unblocks them. */
  refuseTerminals: () => () => void;
  log: Logger;
}

/** One update in progress: downloaded and verified, waiting until no open terminal would end with it, handed to the updater. */
export class UpdateJob {
  readonly request: UpdateRequest;
  private readonly parts: JobParts;
  private readonly stopping = new AbortController();
  private heardAt = performance.now();
  private runtime: string | undefined;
  /** `retrying`: the download failed, and another attempt follows. */
  state: 'working' | 'retrying' | 'waiting' | 'handed' | 'failed' = 'working';
  /** The reason for the failure of it, or of its last download. */
  why = '';

  constructor(request: UpdateRequest, parts: JobParts) {
    this.request = request;
    this.parts = parts;
  }

  /** The hub has repeated its offer. */
  heard(): void {
    this.heardAt = performance.now();
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Settles when it failed, or was stopped; never rejects. */
  async run(): Promise<void> {
    const { log } = this.parts;
    const { version, offer } = this.request;
    try {
      log.info({ version, offer }, 'update begins');
      await this.prepare();
      await this.handOver();
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.state = 'failed';
      this.why = error instanceof Error ? error.message : String(error);
      log.error({ version, offer, why: this.why }, 'update failed');
    }
  }

  /** Bytes of incomplete downloads. */
  async downloaded(): Promise<number> {
    const { inbox } = this.parts.places;
    const parts = (await readdir(inbox).catch(() => [])).filter((name) => name.endsWith(PART));
    return (await Promise.all(parts.map((name) => sizeOf(join(inbox, name))))).reduce((sum, size) => sum + size, 0);
  }

  private async prepare(): Promise<void> {
    this.stopping.signal.throwIfAborted();
    if (this.request.back) await this.clear();
    else await this.downloadAtLast();
    await writeRecord(this.parts.places.request, this.request);
  }

  /** A failed download says nothing about the version, so it is retried for as long as the hub offers it. */
  private async downloadAtLast(): Promise<void> {
    const backoff = new Backoff();
    await this.pause(Math.random() * SPREAD_MS);
    for (;;) {
      this.state = 'working';
      const before = await this.downloaded();
      try {
        return await this.download();
      } catch (error) {
        if (error instanceof UpdateRefused || this.stopping.signal.aborted) throw error;
        this.state = 'retrying';
        this.why = error instanceof Error ? error.message : String(error);
        this.parts.log.warn({ version: this.request.version, why: this.why }, 'download failed');
      }
      if ((await this.downloaded()) > before) backoff.reset();
      await this.pause(backoff.next(AGAIN));
      while (this.lapsed()) await this.pause(LOOK_MS);
    }
  }

  private async download(): Promise<void> {
    const { places, hub } = this.parts;
    const { version } = this.request;
    const { signal } = this.stopping;
    const base = `/install/releases/${encodeURIComponent(version)}`;
    const manifest = await fetchSmall(hub, `${base}/manifest.json`, signal);
    const signature = await fetchSmall(hub, `${base}/manifest.json.sig`, signal);
    const keys = await trustedKeys(places);
    const wanted = await this.smallest(buildOf({ manifest, signature: signature.toString(), keys }, version));
    const part = places.part(wanted.sha256);
    await this.clear(part);
    await writeFile(places.manifest, manifest, { mode: 0o600 });
    await writeFile(places.signature, signature, { mode: 0o600 });
    await fetchPackage(hub, `${base}/${wanted.file}`, wanted, { part, file: places.package, signal });
  }

  /** The package without a runtime, if the local runtime is the same. */
  private async smallest({ whole, updates }: Build): Promise<Package> {
    const { places } = this.parts;
    const steady = await places.folderOf('steady');
    if (updates.length === 0 || steady === undefined) return whole;
    this.runtime ??= await runtimeDigest(places.version(steady));
    return updates.find(({ runtime }) => runtime === this.runtime) ?? whole;
  }

  /** Creates the inbox, and removes everything in it except one path. */
  private async clear(kept?: string): Promise<void> {
    const { inbox } = this.parts.places;
    await mkdir(inbox, { recursive: true, mode: 0o700 });
    for (const name of await readdir(inbox))
      if (join(inbox, name) !== kept) await rm(join(inbox, name), { recursive: true, force: true });
  }

  /** The hub has not repeated its offer in time. */
  private lapsed(): boolean {
    return performance.now() - this.heardAt > OFFER_MS;
  }

  private async handOver(): Promise<void> {
    const { terminals, refuseTerminals, trigger, places, log } = this.parts;
    const before = await readRecord(places.outcome, outcomeSchema);
    while (terminals(this.request.back) > 0 || this.lapsed()) {
      this.state = 'waiting';
      await this.pause(LOOK_MS);
    }
    this.state = 'handed';
    const allow = refuseTerminals();
    try {
      log.info({ version: this.request.version }, 'update is handed to the updater');
      await writeFile(trigger, '');
      await this.outcome(before?.at);
    } finally {
      allow();
    }
  }

  /** The updater ends this process, unless it refuses. */
  private async outcome(before: string | undefined): Promise<never> {
    const { places, trigger } = this.parts;
    const until = performance.now() + HANDED_MS;
    while (performance.now() < until) {
      await this.pause(LOOK_MS);
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

  private pause(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.stopping.signal, ref: false });
  }
}
