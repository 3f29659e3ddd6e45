import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { DataSource } from 'typeorm';
import { chunkHeader, expand, openContent, sealedLimit, snapshotHeader, type Place } from '../store/chunk.ts';
import { chunkName, snapshotName } from '../store/object.store.ts';
import { RecordingKeys } from '../store/recording.keys.ts';
import { RecordingStore } from '../store/recording.store.ts';
import { chunksFrom, snapshotBefore, type StoredChunk, type StoredSnapshot } from './view.sql.ts';

/** Reads the content of recordings. Who may is decided before. */
@Injectable()
export class ChunkReader {
  constructor(
    private readonly source: DataSource,
    private readonly store: RecordingStore,
    private readonly keys: RecordingKeys,
  ) {}

  /** The rows of chunks from a sequence on. */
  rows(place: Place, from: number, limit: number): Promise<StoredChunk[]> {
    return chunksFrom(this.source, place, from, limit);
  }

  /**
   * Reads a chunk: its row, and its events, still compressed.
   * @throws Fault `not_found`; `unavailable`; `data_loss` for content that is gone or was changed
   */
  async compressed(place: Place, sequence: number): Promise<{ chunk: StoredChunk; content: Buffer }> {
    const [chunk] = await this.rows(place, sequence, 1);
    if (chunk?.sequence !== sequence)
      throw new Fault('not_found', `chunk ${sequence} of recording ${place.recordingId}.`);
    return { chunk, content: await this.open(place, chunk) };
  }

  /** Reads the encoded events of a chunk. @throws Fault as {@link compressed} */
  async events(place: Place, chunk: StoredChunk): Promise<Buffer> {
    return expand(await this.open(place, chunk), chunk.size);
  }

  /** Reads the last snapshot at a time or before it; undefined if there is none. @throws Fault as {@link compressed} */
  async snapshot(place: Place, atMs: number): Promise<(StoredSnapshot & { data: string }) | undefined> {
    const found = await snapshotBefore(this.source, place, atMs);
    if (!found) return undefined;
    const key = await this.keys.of(place.accountId, found.keyVersion);
    const sealed = await this.store.get(snapshotName(place, found.atMs), sealedLimit(found.size));
    if (!sealed) return undefined;
    const compressed = opened(place, () => openContent(snapshotHeader(place, numbersOf(found)), sealed, key));
    return { ...found, data: (await expand(compressed, found.size)).toString('utf8') };
  }

  /** The encrypted content of a chunk as it is in the store; undefined if it is gone. */
  sealed(place: Place, { sequence, claim, size }: StoredChunk): Promise<Buffer | undefined> {
    return this.store.get(chunkName(place, { sequence, claim }), sealedLimit(size));
  }

  private async open(place: Place, chunk: StoredChunk): Promise<Buffer> {
    const key = await this.keys.of(place.accountId, chunk.keyVersion);
    const sealed = await this.sealed(place, chunk);
    if (!sealed) throw new Fault('data_loss', `chunk ${chunk.sequence} of recording ${place.recordingId} is gone.`);
    return opened(place, () => openContent(chunkHeader({ ...place, ...chunk }), sealed, key));
  }
}

/** What is bound to the content of a snapshot. */
export const numbersOf = ({ atMs, offset, sequence, cols, rows, size, keyVersion }: StoredSnapshot): number[] => [
  atMs,
  offset,
  sequence,
  cols,
  rows,
  size,
  keyVersion,
];

function opened(place: Place, open: () => Buffer): Buffer {
  try {
    return open();
  } catch (cause) {
    throw new Fault('data_loss', `recording ${place.recordingId} was changed in its store.`, { cause });
  }
}
