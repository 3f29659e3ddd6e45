import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { DeviceDirectory } from './device.directory.ts';
import { DeviceRemoval } from './device.removal.ts';
import { idsAfter, updateAccounts } from './devices.sql.ts';

const EVERY_MS = 3_600_000;
const BATCH = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Compares the devices with those of the devices service, for events that were missed: the bus keeps them for a limited time. */
@Injectable()
export class DeviceReconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: DeviceReconciler.name,
    everyMs: EVERY_MS,
    failed: 'Comparing devices failed',
    round: () => this.reconcile(),
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly directory: DeviceDirectory,
    private readonly removal: DeviceRemoval,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  /** Removes devices that do not exist, and corrects the accounts of the others. */
  async reconcile(): Promise<void> {
    for (let after: string | undefined = FIRST; after && !this.stopping;) after = await this.batch(after);
  }

  private async batch(after: string): Promise<string | undefined> {
    const ids = await idsAfter(this.source, after, BATCH);
    const accounts = await this.directory.accountsOf(ids);
    await updateAccounts(this.source, accounts);
    await this.removal.remove(ids.filter((id) => !accounts.has(id)));
    return ids.at(-1);
  }
}
