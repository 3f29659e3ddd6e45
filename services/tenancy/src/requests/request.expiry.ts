import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Rounds } from '@warren/platform/service/rounds';
import { DataSource } from 'typeorm';
import { accessRequestsOldest, accessRequestsOpen } from '../telemetry/metrics.ts';
import { enqueueEnded } from './mails.sql.ts';
import { requestAudited, requestChanged } from './request.event.ts';
import { deleteOldRequests, expireRequests, hasExpiredRequest, waitingRequests } from './requests.sql.ts';

const EVERY_MS = 10_000;
const BATCH = 200;

/** Ends requests that nobody decided about in time, and deletes those that ended long ago. Any number of replicas may do so at once. */
@Injectable()
export class RequestExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds = new Rounds({
    of: RequestExpiry.name,
    everyMs: EVERY_MS,
    failed: 'Ending expired access requests failed',
    round: () => this.sweep(),
  });

  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  async sweep(): Promise<void> {
    const { open, oldestSeconds } = await waitingRequests(this.source);
    accessRequestsOpen.set(open);
    accessRequestsOldest.set(oldestSeconds);
    await deleteOldRequests(this.source, BATCH);
    if (!(await hasExpiredRequest(this.source))) return;
    await this.outbox.transaction(async (manager, emit) => {
      const rows = await expireRequests(manager, BATCH);
      await enqueueEnded(manager, rows);
      for (const row of rows) {
        emit(requestChanged(row));
        emit(requestAudited(serviceCaller('tenancy'), 'access_request.expire', row));
      }
    });
  }
}
