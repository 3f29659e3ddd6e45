import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Redactions } from '../redact/redactions.ts';
import { addUsage } from '../keep/usage.sql.ts';
import { sealContent, snapshotHeader } from '../store/chunk.ts';
import { snapshotName } from '../store/object.store.ts';
import { RecordingKeys } from '../store/recording.keys.ts';
import { RecordingStore } from '../store/recording.store.ts';
import { indexLagSeconds } from '../telemetry/metrics.ts';
import { ChunkReader, numbersOf } from '../view/chunk.reader.ts';
import type { StoredChunk, StoredSnapshot } from '../view/view.sql.ts';
import { blocksOf, MOST_TEXT } from './blocks.ts';
import {
  claimUnread,
  indexLag,
  insertSnapshot,
  insertTexts,
  markIndexed,
  noteFailure,
  type Unread,
} from './index.sql.ts';
import { ScreenHost } from './screen.host.ts';
import type { Drawn } from './screen.jobs.ts';
import type { Snapshot } from './screen.ts';

const EVERY_MS = 2_000;
const LEASE_S = 60;
/** Recordings of a round, chunks of a recording in a round, and screens that are kept for the next. */
const MOST_RECORDINGS = 16;
const MOST_CHUNKS = 20;
const MOST_SCREENS = 16;

/** Reads new chunks of terminals: what appeared on the screen goes into the index, and snapshots of it into the store. */
@Injectable()
export class Indexer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Indexer.name);
  private readonly id = uuidv7();
  /** The chunk that each screen of the worker is to draw next. */
  private readonly screens = new Map<string, number>();
  private generation = 0;
  private stopping = false;
  private readonly rounds = new Rounds({
    of: Indexer.name,
    everyMs: EVERY_MS,
    failed: 'Indexing recordings failed',
    round: () => this.round(),
  });

  constructor(
    private readonly source: DataSource,
    private readonly store: RecordingStore,
    private readonly keys: RecordingKeys,
    private readonly reader: ChunkReader,
    private readonly host: ScreenHost,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  /** Reads what is unread, some chunks of each recording. */
  async round(): Promise<void> {
    indexLagSeconds.set(await indexLag(this.source));
    if (this.store.problem !== undefined || this.keys.problem !== undefined) return;
    for (const one of await claimUnread(this.source, this.id, LEASE_S, MOST_RECORDINGS)) {
      if (this.stopping || this.store.problem !== undefined) return;
      try {
        await this.read(one);
      } catch (error) {
        this.screens.delete(one.id);
        if (this.store.problem !== undefined) throw error;
        this.log.warn({ err: error, recording: one.id }, 'A recording could not be indexed.');
        await noteFailure(this.source, one.id);
      }
    }
  }

  private async read(one: Unread): Promise<void> {
    const place = { accountId: one.accountId, recordingId: one.id };
    await this.prepare(one);
    let { textBytes } = one;
    const redactions = new Redactions(one.redactions);
    for (const chunk of await this.reader.rows(place, one.indexed, MOST_CHUNKS)) {
      if (this.stopping) return;
      const drawn = await this.draw(one, chunk, { skipTo: 0, quiet: false });
      this.screens.set(one.id, chunk.sequence + 1);
      if (one.isEnded && chunk.sequence === one.chunks - 1) {
        const rest = await this.host.ask({ kind: 'end', screen: one.id });
        drawn.lines.push(...rest.lines);
        this.screens.delete(one.id);
      }
      const kept = await this.keep({ ...one, textBytes }, chunk, drawn, redactions);
      if (kept === undefined) return void this.screens.delete(one.id);
      textBytes += kept;
    }
  }

  /** Has the worker draw up to the first unread chunk, if its screen is not there already. */
  private async prepare(one: Unread): Promise<void> {
    if (this.generation !== this.host.generation) this.screens.clear();
    this.generation = this.host.generation;
    if (this.screens.get(one.id) === one.indexed) return;
    const [oldest] = this.screens.keys();
    if (this.screens.size >= MOST_SCREENS && oldest !== undefined) {
      this.screens.delete(oldest);
      await this.host.ask({ kind: 'drop', screen: oldest }).catch(() => {});
    }
    const place = { accountId: one.accountId, recordingId: one.id };
    const from = await this.openScreen(one);
    this.screens.set(one.id, one.indexed);
    for (let at = from.sequence; at < one.indexed; at += MOST_CHUNKS) {
      const chunks = await this.reader.rows(place, at, Math.min(MOST_CHUNKS, one.indexed - at));
      for (const chunk of chunks) await this.draw(one, chunk, { skipTo: from.offset, quiet: true });
    }
  }

  /** Opens a screen at the last snapshot before the first unread chunk. @returns where that is */
  private async openScreen(one: Unread): Promise<{ sequence: number; offset: number }> {
    const place = { accountId: one.accountId, recordingId: one.id };
    const found = one.indexed > 0 ? await this.reader.snapshot(place, Number.MAX_SAFE_INTEGER) : undefined;
    const usable = found && found.sequence <= one.indexed ? found : undefined;
    const { cols, rows } = one;
    const wanted = { lines: one.search, snapshots: true };
    const from = usable && { atMs: usable.atMs, offset: usable.offset, size: usable, data: usable.data };
    await this.host.ask({ kind: 'open', screen: one.id, size: { cols, rows }, wanted, ...(from && { from }) });
    return usable ?? { sequence: 0, offset: 0 };
  }

  private async draw(one: Unread, chunk: StoredChunk, how: { skipTo: number; quiet: boolean }): Promise<Drawn> {
    const events = await this.reader.events({ accountId: one.accountId, recordingId: one.id }, chunk);
    return this.host.ask({ kind: 'draw', screen: one.id, events, fromMs: chunk.fromMs, offset: chunk.from, ...how });
  }

  /** Stores what a chunk gave. @returns bytes of text; undefined if another indexer has the recording */
  private async keep(
    one: Unread,
    chunk: StoredChunk,
    { lines, snapshots }: Drawn,
    redactions: Redactions,
  ): Promise<number | undefined> {
    const { blocks, bytes } = blocksOf(lines, chunk.sequence, Math.max(0, MOST_TEXT - one.textBytes), redactions);
    const stored: (StoredSnapshot & { stored: number })[] = [];
    for (const snapshot of snapshots) stored.push(await this.putSnapshot(one, chunk, snapshot));
    const isKept = await this.source.transaction(async (manager) => {
      // Text takes space as well, in the database.
      let storedBytes = bytes;
      for (const snapshot of stored) {
        if (await insertSnapshot(manager, one, snapshot)) storedBytes += snapshot.stored;
      }
      const { id, accountId } = one;
      const indexed = { id, accountId, by: this.id, sequence: chunk.sequence, to: chunk.to };
      if (!(await markIndexed(manager, { ...indexed, textBytes: bytes, storedBytes }))) return false;
      await insertTexts(manager, one, blocks);
      if (storedBytes > 0) await addUsage(manager, accountId, storedBytes);
      return true;
    });
    return isKept ? bytes : undefined;
  }

  private async putSnapshot(
    one: Unread,
    chunk: StoredChunk,
    { atMs, offset, size: { cols, rows }, data }: Snapshot,
  ): Promise<StoredSnapshot & { stored: number }> {
    const place = { accountId: one.accountId, recordingId: one.id };
    const content = Buffer.from(data);
    const key = await this.keys.current(one.accountId);
    const sequence = offset >= chunk.to ? chunk.sequence + 1 : chunk.sequence;
    const snapshot = { atMs, offset, sequence, cols, rows, size: content.length, keyVersion: key.version };
    const sealed = await sealContent(snapshotHeader(place, numbersOf(snapshot)), content, key);
    await this.store.put(snapshotName(place, atMs), sealed);
    return { ...snapshot, stored: sealed.length };
  }
}
