import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { encodeEvents, offsetAfter } from '@warren/rules/recordings/frames';
import { RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { CHAIN_KEYS, type ChainKeys } from '../../chain/chain.keys.ts';
import { EventStore } from '../../recording/event.store.ts';
import { audited, recordingTarget, SYSTEM } from '../audited.ts';
import { RecordingQuota } from '../keep/quota.ts';
import { addUsage, settingsOf, usageOf } from '../keep/usage.sql.ts';
import { chunkFailures, chunksStored, gapsRecorded, recordedBytes } from '../telemetry/metrics.ts';
import {
  ClaimLost,
  RecordingOver,
  RecordingWriter,
  type Appended,
  type OpenRecording,
  type RecordedEvent,
  type RecordedSession,
  type SessionEnd,
} from '../writer.ts';
import { chunkHeader, firstHash, hashAfter, sealContent } from '../store/chunk.ts';
import { endRecording } from '../store/end.ts';
import { chunkName } from '../store/object.store.ts';
import { RecordingKeys } from '../store/recording.keys.ts';
import { RecordingStore } from '../store/recording.store.ts';
import {
  appendChunk,
  claimRecording,
  insertRecording,
  lockClaimed,
  touchRecording,
  type ChunkRow,
  type RecordingRow,
} from '../store/rows.sql.ts';

const KINDS = { terminal: 1, desktop: 2 } as const;
const NO_SIZE = { cols: 0, rows: 0 };
const POLICIES = { best_effort: 2, required: 3 } as const;
/** Of names. */
const MOST_TEXT = 300;

/** A recording that this process writes. */
interface Writing {
  row: RecordingRow;
  /** Of the next append. */
  next: number;
  sequence: number;
  lastMs: number;
  pending: number;
  /** Hash after the last append whose row is committed. */
  hash: Buffer;
  /** The commit of the last append. */
  tail: Promise<unknown>;
  failure: unknown;
}

/** Stores recordings as chunks in the store, with a row for each once it is durable there. */
@Injectable()
export class StoredWriter extends RecordingWriter {
  private readonly writing = new Map<string, Writing>();

  constructor(
    private readonly source: DataSource,
    private readonly store: RecordingStore,
    private readonly keys: RecordingKeys,
    private readonly quota: RecordingQuota,
    private readonly events: EventStore,
    @Inject(CHAIN_KEYS) private readonly chainKeys: ChainKeys,
  ) {
    super();
  }

  async open(session: RecordedSession): Promise<OpenRecording> {
    const { accountId, deviceId, terminal } = session;
    const kind = KINDS[session.kind];
    // Also while the store is away: the session lives, so its recording is not closed as abandoned.
    const found = await claimRecording(this.source, { accountId, deviceId, terminal, kind });
    if (found?.ended) throw new RecordingOver(found.id);
    if (this.store.problem !== undefined) throw new Fault('unavailable', this.store.problem);
    await this.keys.current(accountId);
    if (!found) {
      const settings = await settingsOf(this.source, accountId);
      this.quota.requireSpace(settings, (await usageOf(this.source, accountId)).bytes);
      await this.create(session);
    }
    const row = found ?? (await claimRecording(this.source, { accountId, deviceId, terminal, kind }));
    if (!row) throw new Error('a recording was deleted while it was opened');
    this.writing.set(row.id, {
      row,
      next: row.next,
      sequence: row.chunks,
      lastMs: row.durationMs,
      pending: 0,
      hash: row.hash,
      tail: Promise.resolve(),
      failure: undefined,
    });
    return { id: row.id, next: row.next };
  }

  async append(id: string, { from, to, events }: Appended): Promise<void> {
    const writing = this.writingOf(id);
    if (from !== writing.next) throw new RangeError(`expected events from ${writing.next}, came ${from}`);
    if (events.reduce(offsetAfter, from) !== to) throw new RangeError(`expected events that end at ${to}`);
    if (writing.pending >= RECORDING_LIMITS.pending) throw new RangeError('too many appends are pending');
    const fromMs = Math.max(writing.lastMs, Math.trunc(events[0]?.atMs ?? 0));
    const content = encodeEvents(events, fromMs);
    if (content.length > RECORDING_LIMITS.chunkBytes)
      throw new RangeError(`expected at most ${RECORDING_LIMITS.chunkBytes} bytes of events, came ${content.length}`);
    const toMs = events.reduce((last, { atMs }) => Math.max(last, Math.trunc(atMs)), fromMs);
    const { sequence } = writing;
    Object.assign(writing, { next: to, sequence: sequence + 1, lastMs: toMs, pending: writing.pending + 1 });
    const place = { accountId: writing.row.accountId, recordingId: id, sequence, from, to, fromMs, toMs };
    const sealed = this.put(writing, { ...place, size: content.length }, content);
    // Its rejection is that of the commit, which may have to wait for others.
    sealed.catch(() => {});
    const before = writing.tail;
    // The events themselves need not be kept until then.
    const sums = sumsOf(events);
    const committed = before.then(async () => this.commit(writing, await sealed, sums));
    writing.tail = committed;
    committed.catch((error: unknown) => this.fail(id, writing, error));
    await committed.finally(() => writing.pending--);
  }

  async close(id: string, end: SessionEnd): Promise<void> {
    const writing = this.writingOf(id);
    await writing.tail;
    const { accountId, claim } = writing.row;
    await this.events.storeFrom(async (manager) => {
      const row = await lockClaimed(manager, { id, accountId, claim });
      if (!row) throw this.lost(id, writing);
      return [await endRecording(manager, row, end, this.chainKeys.own)];
    });
    this.writing.delete(id);
  }

  async touch(id: string): Promise<void> {
    const writing = this.writingOf(id);
    if (!(await touchRecording(this.source, { ...writing.row, id }))) throw this.lost(id, writing);
  }

  release(id: string): void {
    this.writing.delete(id);
  }

  private async create(session: RecordedSession): Promise<void> {
    const { accountId, deviceId, terminal, userId, userEmail, startedAt, size = NO_SIZE } = session;
    const header = {
      id: uuidv7(),
      accountId: accountId.toLowerCase(),
      deviceId: deviceId.toLowerCase(),
      terminal,
      kind: KINDS[session.kind],
      userId,
      userEmail: userEmail.toLowerCase(),
      started: startedAt,
    };
    const deviceName = session.deviceName.slice(0, MOST_TEXT);
    const row = { ...header, ...size, deviceName, policy: POLICIES[session.policy], hash: firstHash(header) };
    await this.events.storeFrom(async (manager) => {
      if (!(await insertRecording(manager, row))) return [];
      await addUsage(manager, row.accountId, 0, 1);
      const details = { device: deviceId, kind: session.kind, session: terminal, person: row.userEmail };
      const target = recordingTarget(row);
      return [audited(SYSTEM, { action: 'recording.start', accountId: row.accountId, target, details })];
    });
  }

  private async put(
    writing: Writing,
    place: Omit<ChunkRow, 'claim' | 'stored' | 'keyVersion' | 'hash'>,
    content: Uint8Array,
  ): Promise<{ chunk: Omit<ChunkRow, 'hash'>; header: string; sealed: Buffer }> {
    const key = await this.keys.current(place.accountId);
    const header = chunkHeader({ ...place, keyVersion: key.version });
    const sealed = await sealContent(header, content, key);
    const { claim } = writing.row;
    await this.store.put(chunkName(place, { sequence: place.sequence, claim }), sealed);
    return { chunk: { ...place, claim, stored: sealed.length, keyVersion: key.version }, header, sealed };
  }

  private async commit(
    writing: Writing,
    { chunk, header, sealed }: Awaited<ReturnType<StoredWriter['put']>>,
    sums: ReturnType<typeof sumsOf>,
  ): Promise<void> {
    const hash = hashAfter(writing.hash, header, sealed);
    await this.events.storeFrom(async (manager) => {
      if (!(await appendChunk(manager, { ...chunk, hash }, sums))) throw this.lost(chunk.recordingId, writing);
      return this.quota.take(manager, chunk.accountId, chunk.stored);
    });
    writing.hash = hash;
    chunksStored.inc();
    gapsRecorded.inc(sums.gaps);
    recordedBytes.inc({ as: 'raw' }, sums.bytes);
    recordedBytes.inc({ as: 'stored' }, chunk.stored);
  }

  private writingOf(id: string): Writing {
    const writing = this.writing.get(id);
    if (!writing) throw new ClaimLost(id);
    return writing;
  }

  private fail(id: string, writing: Writing, error: unknown): void {
    if (writing.failure !== undefined) return;
    writing.failure = error;
    if (this.writing.get(id) === writing) this.writing.delete(id);
    chunkFailures.inc({ reason: reasonOf(error) });
  }

  private lost(id: string, writing: Writing): ClaimLost {
    if (this.writing.get(id) === writing) this.writing.delete(id);
    return new ClaimLost(id);
  }
}

function sumsOf(events: readonly RecordedEvent[]) {
  let [bytes, gaps, gapBytes] = [0, 0, 0];
  for (const event of events) {
    if (event.kind === 'output') bytes += event.bytes.length;
    if (event.kind !== 'gap') continue;
    gaps++;
    gapBytes += event.bytes;
  }
  return { bytes, gaps, gapBytes };
}

function reasonOf(error: unknown): 'store' | 'full' | 'claim' | 'other' {
  if (error instanceof ClaimLost) return 'claim';
  if (!(error instanceof Fault)) return 'other';
  return error.code === 'resource_exhausted' ? 'full' : error.code === 'unavailable' ? 'store' : 'other';
}
