import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { isKnownPurpose } from './guest.links.ts';
import { linksInForce, type GuestLinkRow } from './guest.links.sql.ts';
import { GuestRights } from './guest.rights.ts';
import {
  claimReviews,
  finishReviews,
  markReviews,
  postponeReviews,
  type ClaimedReview,
  type Concerned,
} from './guest.reviews.sql.ts';

/** Events within this are one review: 200 grants of a script, the groups of a provider. */
const BURST_S = 0.3;
/** Between two looks for marks of other replicas. */
const LOOK_MS = 1_000;
/** For a maker whose review failed. */
const RETRY_S = 5;
/** For what only another version can settle. The longest that a review is postponed. */
const UPGRADE_S = 30;
/** Longer than the reviews of a batch take, by more than a review is postponed: so marks tell claimed reviews from postponed ones. */
const CLAIM_S = 60;
const BATCH = 100;
/** Makers reviewed at once. */
const PARALLEL = 4;

/** What is left of claimed reviews: in how many seconds links are due again, by their ids. */
interface Left {
  due: Map<string, number>;
  error?: unknown;
}

/**
 * Marks guest links whose makers may have lost what the links give, and reviews each maker once for a burst of events. Marks are rows, so
 * that no restart loses one, and the consumer of events, which ends sessions and tokens too, waits for no other service.
 */
@Injectable()
export class GuestReviews implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(GuestReviews.name);
  private readonly rounds = new Rounds({
    of: GuestReviews.name,
    everyMs: LOOK_MS,
    failed: 'Reviewing guest links failed',
    round: () => this.round(),
  });
  private waking: NodeJS.Timeout | undefined;
  private stopping = false;
  private refused = false;

  constructor(
    private readonly source: DataSource,
    private readonly events: EventConsumer,
    private readonly rights: GuestRights,
  ) {}

  onModuleInit(): void {
    this.events.on('accessChanged', (_event, { accountId }) => this.mark({ accountId }));
    // Without an actor it is presence or a report of the device itself, and changes no right for good.
    this.events.on('deviceChanged', async ({ actor }, { deviceId, previousAccountId }) => {
      if (actor !== '' || previousAccountId !== '') await this.mark({ deviceIds: [deviceId] });
    });
    this.events.on('devicesChanged', async ({ actor }, { deviceIds }) => {
      if (actor !== '') await this.mark({ deviceIds });
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.waking);
    await this.rounds.stop();
  }

  /** Marks the links that an event concerns for a review. */
  async mark(of: Concerned): Promise<void> {
    const deviceIds = of.deviceIds?.filter((id) => isUuid(id));
    if (![of.makerId, of.accountId].every((id) => id === undefined || isUuid(id))) return;
    await markReviews(this.source, { ...of, ...(deviceIds && { deviceIds }) }, BURST_S, UPGRADE_S);
    this.wake();
  }

  private wake(): void {
    if (this.stopping) return;
    this.waking ??= setTimeout(() => {
      this.waking = undefined;
      void this.rounds.now();
    }, BURST_S * 1_000).unref();
  }

  private async round(): Promise<void> {
    while (!this.stopping) {
      const claimed = await claimReviews(this.source, BATCH, CLAIM_S);
      if (claimed.length === 0) return;
      const { due, error } = await this.reviewed(claimed);
      const done = claimed.filter(({ link_id: id }) => !due.has(id));
      await finishReviews(this.source, done, BURST_S);
      for (const [seconds, those] of Map.groupBy(due, ([, after]) => after)) {
        const ids = those.map(([id]) => id);
        await postponeReviews(this.source, ids, seconds);
      }
      if (error) throw error;
    }
  }

  private async reviewed(claimed: readonly ClaimedReview[]): Promise<Left> {
    const links = await linksInForce(
      this.source,
      claimed.map(({ link_id: id }) => id),
    );
    const known = links.filter(({ purpose }) => isKnownPurpose(purpose));
    // Those of a later version are for its replicas.
    const others = links.filter((link) => !known.includes(link));
    const left: Left = { due: new Map(others.map(({ id }) => [id, UPGRADE_S])) };
    const makers = Map.groupBy(known, ({ maker_id: maker }) => maker).values();
    // All take from one iterator.
    const work = async () => {
      for (const theirs of makers) await this.reviewMaker(theirs, left);
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    return left;
  }

  /** Never rejects. After a failure the other makers wait for the next round, and come first in it. */
  private async reviewMaker(theirs: readonly GuestLinkRow[], left: Left): Promise<void> {
    const again = (seconds: number) => theirs.forEach(({ id }) => left.due.set(id, seconds));
    if (left.error || this.stopping) return again(0);
    try {
      await this.rights.review(theirs);
      this.refused = false;
    } catch (error) {
      if (error instanceof Fault && error.code === 'permission_denied') {
        again(UPGRADE_S);
        return this.noteRefusal(error);
      }
      again(RETRY_S);
      left.error = error;
    }
  }

  /** A service of the version before, or a bus without the new rights, refuses identity. That ends no link: an upgrade settles it. */
  private noteRefusal(error: Fault): void {
    if (!this.refused)
      this.log.warn({ err: error }, `A service refuses to review guest links; again in ${UPGRADE_S} s.`);
    this.refused = true;
  }
}
