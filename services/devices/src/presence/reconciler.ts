import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { Rounds } from '@warren/platform/service/rounds';
import { ActivityKind } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { devicesChanged } from '../events/device.event.ts';
import { calledName, record, type Happening } from '../history/history.ts';
import { devicesLost, reconciledAt } from '../telemetry/metrics.ts';
import { LeaseReader } from './lease.reader.ts';
import { disconnectFrom, readHolders, type LostRow } from './presence.sql.ts';

const EVERY_MS = 1_000;
const BATCH = 500;
/** The time a killed replica takes to restart and its devices to reconnect; until then they are not reported as disconnected. */
const GRACE_MS = 3_000;

/** Interval between checks for holders while replicas stay the same. */
const LOOK_MS = 10_000;

/** Marks devices of crashed tunnels replicas as disconnected. */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Reconciler.name);
  private readonly rounds = new Rounds({
    of: Reconciler.name,
    everyMs: EVERY_MS,
    failed: 'Looking for lost devices failed',
    round: () => this.round(),
  });
  /** Replicas that hold devices by the database, without a lease. */
  private deadSince = new Map<string, number>();
  /** The live replicas at the last check for holders, and its time. */
  private looked = { at: Number.NEGATIVE_INFINITY, live: '' };

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly leases: LeaseReader,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  private async round(): Promise<void> {
    const present = await this.leases.live();
    if (!present) return;
    if (!this.mustLook(present)) return reconciledAt.setToCurrentTime();
    // Holders first: a replica that appears in between is among the leases read afterwards.
    const holders = await readHolders(this.source);
    const live = await this.leases.live();
    if (!live) return;
    reconciledAt.setToCurrentTime();
    this.looked = { at: performance.now(), live: named(live) };
    for (const replica of this.overdue(holders.filter((id) => !live.has(id)))) {
      let count = 0;
      for (let batch = BATCH; batch === BATCH; count += batch) batch = await this.disconnect(replica);
      devicesLost.inc(count);
      this.log.warn({ replica, devices: count }, 'A replica of tunnels is gone; its devices are disconnected.');
    }
  }

  /** Usually only a replica that is gone leaves devices behind; rarer causes, such as its late write, can wait. */
  private mustLook(present: ReadonlySet<string>): boolean {
    const [now, live] = [performance.now(), named(present)];
    return live !== this.looked.live || this.deadSince.size > 0 || now - this.looked.at >= LOOK_MS;
  }

  /** Replicas that have been dead for long enough. */
  private overdue(dead: string[]): string[] {
    const now = performance.now();
    this.deadSince = new Map(dead.map((id) => [id, this.deadSince.get(id) ?? now]));
    return dead.filter((id) => now - (this.deadSince.get(id) ?? now) >= GRACE_MS);
  }

  private disconnect(replica: string): Promise<number> {
    return this.outbox.transaction(async (manager, emit) => {
      const rows = await disconnectFrom(manager, replica, BATCH);
      await record(manager, rows.map(lost));
      for (const event of devicesChanged(rows)) emit(event);
      return rows.length;
    });
  }
}

function named(replicas: ReadonlySet<string>): string {
  return [...replicas].sort().join(' ');
}

const lost = (row: LostRow): Happening => ({
  kind: ActivityKind.DISCONNECTED,
  deviceId: row.id,
  accountId: row.account_id,
  deviceName: calledName(row),
});
