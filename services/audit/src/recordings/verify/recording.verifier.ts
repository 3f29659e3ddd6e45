import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CHAIN_KEYS, type ChainKeys } from '../../chain/chain.keys.ts';
import { chunkHeader, endProblem, firstHash, hashAfter } from '../store/chunk.ts';
import { ChunkReader } from '../view/chunk.reader.ts';
import type { ShownRow, StoredChunk } from '../view/view.sql.ts';
import { findRecording } from '../view/view.sql.ts';

const PAGE = 200;
const MOST_PROBLEMS = 20;

/** What is wrong with a recording; `sequence` is the chunk, or undefined for the whole. */
export interface RecordingProblem {
  sequence: number | undefined;
  what: string;
}

/** Finds chunks that are missing, were changed or come from elsewhere, by the chain of hashes of a recording and its signed end. */
@Injectable()
export class RecordingVerifier {
  constructor(
    private readonly source: DataSource,
    private readonly reader: ChunkReader,
    @Inject(CHAIN_KEYS) private readonly keys: ChainKeys,
  ) {}

  /**
   * Verifies a recording; all of its content is read, and nothing decrypted.
   * @returns what is wrong; undefined if it is gone meanwhile
   * @throws Fault `unavailable` if the store does not answer
   */
  async verify({ id, accountId }: { id: string; accountId: string }): Promise<RecordingProblem[] | undefined> {
    const row = await findRecording(this.source, id, accountId);
    if (!row) return undefined;
    const problems: RecordingProblem[] = [];
    const last = await this.follow(row, problems);
    const found = (what: string) => problems.push({ sequence: undefined, what });
    if (last.sequence !== row.chunks) found(`${row.chunks - last.sequence} chunks are missing at the end`);
    else if (!last.hash.equals(row.hash) || last.offset !== row.next) found('the last chunk is not that of its end');
    const end = endOf(row, this.keys);
    if (end) found(end);
    if (problems.length === 0) return problems;
    // It may have been deleted while it was read.
    return (await findRecording(this.source, id, accountId)) ? problems.slice(0, MOST_PROBLEMS) : undefined;
  }

  private async follow(row: ShownRow, problems: RecordingProblem[]) {
    const place = { accountId: row.accountId, recordingId: row.id };
    const last = { sequence: 0, offset: 0, hash: firstHash(row) };
    while (last.sequence < row.chunks && problems.length < MOST_PROBLEMS) {
      const page = await this.reader.rows(place, last.sequence, Math.min(PAGE, row.chunks - last.sequence));
      if (page.length === 0) break;
      for (const chunk of page) {
        const what = await this.problemOf(row, chunk, last);
        if (what) problems.push({ sequence: chunk.sequence, what });
        // What comes after is compared with the hash that is stored, so that one change is one problem.
        Object.assign(last, { sequence: chunk.sequence + 1, offset: chunk.to, hash: chunk.hash });
      }
    }
    return last;
  }

  private async problemOf(
    row: ShownRow,
    chunk: StoredChunk,
    last: { sequence: number; offset: number; hash: Buffer },
  ): Promise<string | undefined> {
    if (chunk.sequence !== last.sequence) return `chunks from ${last.sequence} on are missing`;
    if (chunk.from !== last.offset) return `it does not begin at ${last.offset}`;
    const place = { accountId: row.accountId, recordingId: row.id };
    const sealed = await this.sealed(place, chunk);
    if (typeof sealed === 'string') return sealed;
    const hash = hashAfter(last.hash, chunkHeader({ ...place, ...chunk }), sealed);
    return hash.equals(chunk.hash) ? undefined : 'it was changed';
  }

  private async sealed(
    place: { accountId: string; recordingId: string },
    chunk: StoredChunk,
  ): Promise<Buffer | string> {
    try {
      return (await this.reader.sealed(place, chunk)) ?? 'its content is missing';
    } catch (error) {
      if (error instanceof RangeError) return 'it was changed';
      throw error;
    }
  }
}

function endOf(row: ShownRow, keys: ChainKeys): string | undefined {
  if (!row.ended || keys.known.size === 0) return undefined;
  const { id, accountId, chunks, next, hash, ended, exit, reason } = row;
  const problem = endProblem({ id, accountId, chunks, next, hash, ended, exit, reason }, row, keys.known);
  return problem && `its end can't be trusted: ${problem}`;
}
