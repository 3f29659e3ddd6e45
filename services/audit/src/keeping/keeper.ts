import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { loggedCheckpoint } from '../chain/checkpoint.log.ts';
import { monthOf } from '../recording/event.store.ts';
import { createPartition } from '../recording/record.sql.ts';
import { Retention } from './retention.ts';
import { keepHeads, tryLock } from './retention.sql.ts';

const EVERY_MS = 60_000;
const CHECKPOINT_MS = 3_600_000;
const RETENTION_MS = 3_600_000;
const MONTHS_AHEAD = 2;
const LOCK = 0x41554b50;

/** Creates partitions ahead, keeps checkpoints, and removes what is past its retention. One replica works at a time. */
@Injectable()
export class Keeper implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('AuditCheckpoint');
  private readonly rounds = new Rounds({
    of: Keeper.name,
    everyMs: EVERY_MS,
    failed: 'Keeping the audit trail failed',
    round: () => this.round(),
  });
  private readonly due = { checkpoints: 0, retention: 0 };
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly retention: Retention,
  ) {}

  onModuleInit(): void {
    this.rounds.start();
    void this.rounds.now();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  private async round(): Promise<void> {
    const now = new Date();
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++)
      await createPartition(this.source, monthOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead)));
    if (performance.now() >= this.due.checkpoints) await this.checkpoint();
    if (performance.now() < this.due.retention) return;
    await this.retention.apply(now, () => !this.stopping);
    this.due.retention = performance.now() + RETENTION_MS;
  }

  /** Keeps the heads of chains as checkpoints. The log has them too, outside of the database: `verify` compares it. */
  async checkpoint(): Promise<void> {
    const kept = await this.source.transaction(async (manager) =>
      (await tryLock(manager, LOCK)) ? keepHeads(manager) : [],
    );
    for (const checkpoint of kept) this.log.log(loggedCheckpoint(checkpoint), 'Audit checkpoint.');
    this.due.checkpoints = performance.now() + CHECKPOINT_MS;
  }
}
