import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { devicesKnown } from '../telemetry/metrics.ts';
import { countAll } from './presence.sql.ts';

const EVERY_MS = 15_000;

/** Counts the devices at intervals, for metrics. */
@Injectable()
export class Census implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly source: DataSource) {}

  onApplicationBootstrap(): void {
    this.count();
    this.timer = setInterval(() => this.count(), EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Keeps the former count on failure; other metrics report that the database is down. */
  private count(): void {
    this.running ??= this.read()
      .catch(() => {})
      .finally(() => (this.running = undefined));
  }

  private async read(): Promise<void> {
    const row = await countAll(this.source);
    if (!row) return;
    devicesKnown.set({ status: 'connected' }, row.connected);
    devicesKnown.set({ status: 'disconnected' }, row.total - row.connected);
  }
}
