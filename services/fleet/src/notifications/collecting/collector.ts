import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource, type EntityManager } from 'typeorm';
import { deleteOld } from '../delivery/notifications.sql.ts';
import { DeliveryPublisher } from '../delivery/delivery.publisher.ts';
import { addPending, becomeCollector, dueChannels, receiversOf, takeChanges } from './collector.sql.ts';
import { ChannelTurn } from './channel.turn.ts';
import { pendingOf } from './pending.ts';

const EVERY_MS = 5_000;
const BATCH = 500;
/** Channels in one transaction. */
const CHANNELS = 50;
const OLD = 5_000;

/** Makes notifications of changes of alerts. Any number of replicas may run it; one works at a time. */
@Injectable()
export class Collector implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: Collector.name,
    everyMs: EVERY_MS,
    failed: 'Notifications could not be made',
    round: () => this.round(new Date()),
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly publisher: DeliveryPublisher,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  /** Takes all changes, then makes the messages that are due. */
  async round(now: Date): Promise<void> {
    await this.repeat(BATCH, takeSome);
    let made = 0;
    await this.repeat(CHANNELS, async (manager) => {
      const channels = await dueChannels(manager, now, CHANNELS);
      for (const id of channels) made += await new ChannelTurn(manager, now).run(id);
      return channels.length;
    });
    await deleteOld(this.source, OLD);
    if (made > 0) await this.publisher.now();
  }

  /** Repeats work, each time in a transaction, while it finds as much as it may take. */
  private async repeat(most: number, work: (manager: EntityManager) => Promise<number>): Promise<void> {
    for (let found = most; found === most && !this.stopping;)
      found = await this.source.transaction(async (manager) => ((await becomeCollector(manager)) ? work(manager) : 0));
  }
}

async function takeSome(manager: EntityManager): Promise<number> {
  const changes = await takeChanges(manager, BATCH);
  if (changes.length === 0) return 0;
  const receivers = await receiversOf(manager, [...new Set(changes.map((change) => change.account_id))]);
  await addPending(manager, pendingOf(changes, receivers));
  return changes.length;
}
