import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { backupDue, backupSucceeded } from '../telemetry/metrics.ts';
import { lastBackup } from './backup.sql.ts';

export const BACKUP_MAX_AGE = Symbol('BACKUP_MAX_AGE');

const POLL_MS = 30_000;
const HOUR_S = 3_600;

/** Measures when the last backup succeeded and when the next is due. Without a maximum age it measures nothing. */
@Injectable()
export class BackupAge implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: BackupAge.name,
    everyMs: POLL_MS,
    failed: 'The time of the last backup can not be read',
    round: () => this.measure(),
  });

  /** @param maxAgeHours 0 if backups are made elsewhere */
  constructor(
    private readonly source: DataSource,
    @Inject(BACKUP_MAX_AGE) private readonly maxAgeHours: number,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.maxAgeHours === 0) return;
    await this.rounds.now();
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async measure(): Promise<void> {
    const row = await lastBackup(this.source);
    backupSucceeded.set(row?.succeeded ?? 0);
    backupDue.set((row?.counted ?? 0) + this.maxAgeHours * HOUR_S);
  }
}
