import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { DeviceDirectory } from './device.directory.ts';
import { DeviceRemoval } from './device.removal.ts';

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
    const rows = await this.source.query<{ id: string }[]>(
      `SELECT id FROM devices WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
    const ids = rows.map(({ id }) => id);
    const accounts = await this.directory.accountsOf(ids);
    await this.source.query(
      `UPDATE devices d SET account_id = a.account_id FROM unnest($1::uuid[], $2::uuid[]) AS a (id, account_id)
       WHERE d.id = a.id AND d.account_id <> a.account_id`,
      [[...accounts.keys()], [...accounts.values()]],
    );
    await this.removal.remove(ids.filter((id) => !accounts.has(id)));
    return ids.at(-1);
  }
}
