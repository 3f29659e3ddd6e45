import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { folderOf, type Listed } from '../store/object.store.ts';
import { RecordingStore } from '../store/recording.store.ts';
import { takeSweep } from '../store/store.sql.ts';
import { garbage, garbageRemoved, orphansOf, type ObjectParts } from './sweep.sql.ts';

const BATCH = 500;
const MOST_GARBAGE = 1_000;
const SWEEP_MS = 6 * 3_600_000;
/** A writer has committed the row of an object, or given up, long before. */
const ORPHAN_MS = 86_400_000;
/** More orphans than this part of all objects mean that rows are missing, such as after a restore: they are kept. */
const MOST_ORPHANS = 0.1;
const FEW = 100;

/** Removes objects that no row needs. It never deletes a row for the lack of an object. */
@Injectable()
export class Sweeper {
  private readonly log = new Logger(Sweeper.name);

  constructor(
    private readonly source: DataSource,
    private readonly store: RecordingStore,
  ) {}

  /** Removes the objects of deleted recordings. @returns how many recordings */
  async removeGarbage(mayContinue: () => boolean = () => true): Promise<number> {
    if (this.store.problem !== undefined) return 0;
    const deleted = await garbage(this.source, MOST_GARBAGE);
    let removed = 0;
    for (const { accountId, recordingId } of deleted) {
      if (!mayContinue()) break;
      let names: string[] = [];
      for await (const { name } of this.store.list(folderOf(accountId, recordingId))) {
        if (names.push(name) < BATCH) continue;
        await this.store.remove(names);
        names = [];
      }
      if (names.length > 0) await this.store.remove(names);
      await garbageRemoved(this.source, recordingId);
      removed++;
    }
    return removed;
  }

  /** Removes objects without a row, if it is time for that. */
  async removeOrphans(now = Date.now(), everyMs = SWEEP_MS): Promise<number> {
    if (this.store.problem !== undefined || !(await takeSweep(this.source, everyMs))) return 0;
    let [seen, batch] = [0, [] as Listed[]];
    const orphans: string[] = [];
    const compare = async () => {
      orphans.push(
        ...(await orphansOf(
          this.source,
          batch.flatMap(({ name }) => partsOf(name) ?? []),
        )),
      );
      batch = [];
    };
    for await (const one of this.store.list('')) {
      seen++;
      if (one.writtenAt > now - ORPHAN_MS) continue;
      if (batch.push(one) === BATCH) await compare();
    }
    await compare();
    if (orphans.length > FEW && orphans.length > seen * MOST_ORPHANS) {
      this.log.error({ orphans: orphans.length, objects: seen }, 'Too many objects of recordings have no row.');
      return 0;
    }
    // Once more, right before: a row may have come back.
    for (let at = 0; at < orphans.length; at += BATCH) {
      const names = orphans.slice(at, at + BATCH);
      const left = await orphansOf(
        this.source,
        names.flatMap((name) => partsOf(name) ?? []),
      );
      if (left.length > 0) await this.store.remove(left);
    }
    if (orphans.length > 0) this.log.log({ removed: orphans.length }, 'Removed objects of recordings without a row.');
    return orphans.length;
  }
}

function partsOf(name: string): ObjectParts | undefined {
  const [accountId, recordingId, last] = name.split('/');
  if (accountId === undefined || recordingId === undefined || last === undefined) return undefined;
  const [sequence, claim] = last.split('-').map(Number);
  if (last.startsWith('s'))
    return { name, accountId, recordingId, sequence: null, claim: null, atMs: Number(last.slice(1)) };
  return { name, accountId, recordingId, sequence: sequence ?? null, claim: claim ?? null, atMs: null };
}
