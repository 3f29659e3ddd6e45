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
import { guestReviewsDue, guestReviewsOldest } from '../telemetry/metrics.ts';
import { isKnownPurpose } from './guest.links.ts';
import { linksInForce } from './guest.links.sql.ts';
import { GuestRights } from './guest.rights.ts';
import {
  claimReviews,
  finishReviews,
  markReviews,
  postponeReviews,
  waitingReviews,
  type ClaimedReview,
  type Concerned,
} from './guest.reviews.sql.ts';

/** Events within this are one review: 200 grants of a script, the groups of a provider. */
const BURST_S = 0.3;
/** Between two looks for marks of other replicas. */
const LOOK_MS = 1_000;
/** For a maker whose review failed. */
const RETRY_S = 5;
/** For what only another version can settle. */
const UPGRADE_S = 30;
/** The deadlines of the two calls of a review, 5 s each, and 5 s for its statements. Later another replica may begin the same review, which does no harm. */
const CLAIM_S = 15;
/** Links of a maker in one review. */
const BATCH = 100;
/** Makers reviewed at once. */
const PARALLEL = 4;

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
  /** The reviews that run, by their makers. */
  private readonly running = new Map<string, Promise<void>>();
  private waking: NodeJS.Timeout | undefined;
  private stopping = false;
  private refused = false;
  private failing = false;

  constructor(
    private readonly source: DataSource,
    private readonly events: EventConsumer,
    private readonly rights: GuestRights,
  ) {}

  onModuleInit(): void {
    this.events.on('accessChanged', (_event, { accountId }) => this.mark({ accountId }));
    this.events.on('savedFilterChanged', (_event, { accountId }) => this.mark({ accountId }));
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
    await Promise.all(this.running.values());
  }

  /** Marks the links that an event concerns for a review. */
  async mark(of: Concerned): Promise<void> {
    const deviceIds = of.deviceIds?.filter((id) => isUuid(id));
    if (![of.makerId, of.accountId].every((id) => id === undefined || isUuid(id))) return;
    await markReviews(this.source, { ...of, ...(deviceIds && { deviceIds }) }, BURST_S);
    this.wake();
  }

  private wake(): void {
    if (this.stopping) return;
    this.waking ??= setTimeout(() => {
      this.waking = undefined;
      void this.rounds.now();
    }, BURST_S * 1_000).unref();
  }

  /** Begins reviews while a lane is free and something is due. Waits for none of them, so that no maker holds others back. */
  private async round(): Promise<void> {
    const { due, oldestSeconds } = await waitingReviews(this.source);
    guestReviewsDue.set(due);
    guestReviewsOldest.set(oldestSeconds);
    while (!this.stopping && this.running.size < PARALLEL) {
      const claimed = await claimReviews(this.source, [...this.running.keys()], BATCH, CLAIM_S);
      const [first] = claimed;
      if (!first) return;
      const maker = first.maker_id ?? first.link_id;
      const work = this.review(claimed).then((follows) => {
        this.running.delete(maker);
        if (follows && !this.stopping) void this.rounds.now();
      });
      this.running.set(maker, work);
    }
  }

  /** Reviews the links of one maker. Never rejects. @returns whether the next may follow at once: not if a service is unavailable */
  private async review(claimed: readonly ClaimedReview[]): Promise<boolean> {
    const ids = claimed.map(({ link_id: id }) => id);
    try {
      const links = await linksInForce(this.source, ids);
      const known = links.filter(({ purpose }) => isKnownPurpose(purpose));
      await this.rights.review(known);
      this.refused = this.failing = false;
      // Those of a later version are for its replicas.
      const others = new Set(links.filter((link) => !known.includes(link)).map(({ id }) => id));
      const done = claimed.filter(({ link_id: id }) => !others.has(id));
      await finishReviews(this.source, done, BURST_S);
      await postponeReviews(this.source, [...others], UPGRADE_S);
      return true;
    } catch (error) {
      return this.postpone(ids, error);
    }
  }

  private async postpone(ids: readonly string[], error: unknown): Promise<boolean> {
    const isRefusal = error instanceof Fault && error.code === 'permission_denied';
    if (isRefusal) this.noteRefusal(error);
    else this.noteFailure(error);
    // Without the database the claim ends by itself.
    await postponeReviews(this.source, ids, isRefusal ? UPGRADE_S : RETRY_S).catch(() => undefined);
    return error instanceof Fault && error.code !== 'unavailable';
  }

  private noteFailure(error: unknown): void {
    if (!this.failing) this.log.warn({ err: error, retry_ms: RETRY_S * 1_000 }, 'Reviewing guest links failed.');
    this.failing = true;
  }

  /** A service of the version before, or a bus without the new rights, refuses identity. That ends no link: an upgrade settles it. */
  private noteRefusal(error: unknown): void {
    if (!this.refused)
      this.log.warn({ err: error, retry_ms: UPGRADE_S * 1_000 }, 'A service refuses to review guest links.');
    this.refused = true;
  }
}
