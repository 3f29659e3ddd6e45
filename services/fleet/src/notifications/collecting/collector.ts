import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource, type EntityManager } from 'typeorm';
import { ChannelSecrets } from '../channels/channel.secrets.ts';
import { deleteOld } from '../delivery/notifications.sql.ts';
import { DeliveryPublisher } from '../delivery/delivery.publisher.ts';
import { addPending, becomeCollector, dueChannels, postponeAll, receiversOf, takeChanges } from './collector.sql.ts';
import { ChannelTurn } from './channel.turn.ts';
import { pendingOf } from './pending.ts';

const EVERY_MS = 5_000;
const BATCH = 500;
/** Channels in one round. */
const CHANNELS = 500;
/** Before a channel that failed has its next turn. */
const FAILED_PAUSE_MS = 5 * 60_000;
const OLD = 5_000;

/** Makes notifications of changes of alerts. Any number of replicas may run it; one works at a time. */
@Injectable()
export class Collector implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(Collector.name);
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
    private readonly secrets: ChannelSecrets,
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
    for (let taken = BATCH; taken === BATCH && !this.stopping;) taken = (await this.asCollector(takeSome)) ?? 0;
    const channels = await dueChannels(this.source.manager, now, CHANNELS);
    let made = 0;
    for (const id of channels) if (!this.stopping) made += await this.turn(id, now);
    await deleteOld(this.source, OLD);
    await this.secrets.forgetExpired();
    if (made > 0) await this.publisher.now();
  }

  /** A channel that fails keeps no other one from its messages. */
  private async turn(channelId: string, now: Date): Promise<number> {
    try {
      return (await this.asCollector((manager) => new ChannelTurn(manager, now).run(channelId))) ?? 0;
    } catch (error) {
      this.log.error({ err: error, channel: channelId }, 'The notifications of a channel could not be made.');
      await postponeAll(this.source.manager, channelId, new Date(now.getTime() + FAILED_PAUSE_MS));
      return 0;
    }
  }

  /** Runs work in a transaction. @returns undefined if another replica is at it */
  private asCollector<T>(work: (manager: EntityManager) => Promise<T>): Promise<T | undefined> {
    return this.source.transaction(async (manager) => ((await becomeCollector(manager)) ? work(manager) : undefined));
  }
}

async function takeSome(manager: EntityManager): Promise<number> {
  const changes = await takeChanges(manager, BATCH);
  if (changes.length === 0) return 0;
  const receivers = await receiversOf(manager, [...new Set(changes.map((change) => change.account_id))]);
  await addPending(manager, pendingOf(changes, receivers));
  return changes.length;
}
