import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CHAIN_KEYS, type ChainKeys } from '../chain/chain.keys.ts';
import { firstHash, hashAfter, signatureProblem, type Checkpoint } from '../chain/chain.ts';
import { derivedOf, readEvent } from '../recording/row.ts';
import { chainAccounts, checkpointsOf, eventsAfter, headOf, type ChainRow } from './verify.sql.ts';

const PAGE = 2_000;
/** Of one account: a chain that is broken everywhere is not listed in full. */
const MAX_PROBLEMS = 100;

/** What is wrong with a chain. */
interface Problem {
  accountId: string;
  /** The place in the chain. */
  sequence: bigint;
  what: string;
}

/** What a verification of one account found. */
export interface Verified {
  accountId: string;
  /** Events that were compared. */
  events: number;
  problems: Problem[];
}

/** Finds events that were removed, changed or put in, by the chain of each account and its checkpoints. */
@Injectable()
export class Verifier {
  constructor(
    private readonly source: DataSource,
    @Inject(CHAIN_KEYS) private readonly keys: ChainKeys,
  ) {}

  accounts(): Promise<string[]> {
    return chainAccounts(this.source);
  }

  /**
   * Verifies one account, as of one moment.
   * @param outside checkpoints that were kept elsewhere, such as those of the log
   */
  verify(accountId: string, outside: readonly Checkpoint[] = []): Promise<Verified> {
    return this.source.transaction('REPEATABLE READ', (manager) =>
      new ChainReader(manager, accountId, this.keys).read(outside.filter((one) => one.accountId === accountId)),
    );
  }
}

/** Reads one chain from its beginning to its end. */
class ChainReader {
  private readonly problems: Problem[] = [];
  private events = 0;

  constructor(
    private readonly manager: EntityManager,
    private readonly accountId: string,
    private readonly keys: ChainKeys,
  ) {}

  async read(outside: readonly Checkpoint[]): Promise<Verified> {
    const head = await headOf(this.manager, this.accountId);
    const checkpoints = [...(await checkpointsOf(this.manager, this.accountId)), ...outside];
    if (!head) this.found(0n, 'the end of the chain is not known');
    else if (head.sequence > 0n) this.trust(head, 'the end of the chain');
    for (const checkpoint of checkpoints) this.trust(checkpoint, 'the checkpoint');
    const removal = checkpoints.findLast(({ kind }) => kind === 'removal');
    const places = new Map(checkpoints.map(({ sequence, hash }) => [sequence, hash]));
    const last = await this.follow(removal, places);
    this.compareEnd(head, last, checkpoints);
    return { accountId: this.accountId, events: this.events, problems: this.problems };
  }

  /** @returns the last event */
  private async follow(removal: Checkpoint | undefined, places: ReadonlyMap<bigint, Buffer>) {
    let last = { sequence: removal?.sequence ?? 0n, hash: removal?.hash ?? firstHash(this.accountId) };
    for (let page = PAGE; page === PAGE && this.problems.length < MAX_PROBLEMS;) {
      const rows = await eventsAfter(this.manager, this.accountId, last.sequence, PAGE);
      for (const row of rows) last = this.step(last, row, places);
      page = rows.length;
    }
    return last;
  }

  private step(last: { sequence: bigint; hash: Buffer }, row: ChainRow, places: ReadonlyMap<bigint, Buffer>) {
    const sequence = BigInt(row.sequence);
    this.events++;
    if (sequence > last.sequence + 1n) this.found(last.sequence + 1n, missing(last.sequence + 1n, sequence - 1n));
    const hash = hashAfter(last.hash, { ...row, accountId: this.accountId, sequence });
    const follows = sequence === last.sequence + 1n;
    if (follows && !hash.equals(row.hash)) this.found(sequence, `event ${row.id} was changed`);
    else if (!columnsFit(row)) this.found(sequence, `event ${row.id} has columns that its content does not have`);
    const kept = places.get(sequence);
    if (kept && !kept.equals(row.hash)) this.found(sequence, `event ${row.id} is not the one of the checkpoint`);
    // What comes after is compared with the hash that is stored, so that one change is one problem.
    return { sequence, hash: row.hash };
  }

  private compareEnd(
    head: Checkpoint | undefined,
    last: { sequence: bigint; hash: Buffer },
    checkpoints: readonly Checkpoint[],
  ) {
    const ends = [...(head ? [head] : []), ...checkpoints];
    const end = ends.reduce((most, { sequence }) => (sequence > most ? sequence : most), 0n);
    if (last.sequence < end) this.found(last.sequence + 1n, missing(last.sequence + 1n, end));
    if (head && last.sequence > head.sequence) this.found(last.sequence, 'events follow the end of the chain');
    if (head && last.sequence === head.sequence && !last.hash.equals(head.hash))
      this.found(last.sequence, 'the last event is not that of the end of the chain');
  }

  private trust(checkpoint: Checkpoint, what: string): void {
    if (this.keys.known.size === 0) return;
    const problem = signatureProblem(checkpoint, this.keys.known);
    if (problem) this.found(checkpoint.sequence, `${what} can't be trusted: ${problem}`);
  }

  private found(sequence: bigint, what: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ accountId: this.accountId, sequence, what });
  }
}

function missing(from: bigint, to: bigint): string {
  return from === to ? `event ${from} is missing` : `events ${from} to ${to} are missing`;
}

function columnsFit(row: ChainRow): boolean {
  try {
    const derived = Object.entries(derivedOf(readEvent(row.event)));
    return derived.every(([name, value]) => row[name as keyof ChainRow] === value);
  } catch {
    return false;
  }
}
