import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { AuditService } from '@warren/proto/audit/v1/audit';
import { Readable } from 'node:stream';
import { SessionReader } from '../auth/session.reader.ts';
import { csvOf } from '../http/csv.ts';
import type { SignedIn } from '../http/signed-in.request.ts';
import { sameAccess } from '../live/change.ts';
import { AccountNames } from './account.names.ts';
import { AUDIT_COLUMNS, auditRecord } from './audit.csv.ts';
import { filterOf } from './audit.filter.ts';
import { auditEventJson } from './audit.mapper.ts';
import type { AuditEventJson, AuditFilterQuery, ExportAuditEventsQuery } from './audit.schemas.ts';

/** Events in a call. */
const PAGE = 500;
/** Exports at the same time: of a person, and of this process. */
const MOST_OF_PERSON = 2;
const MOST = 8;
const RETRY_AFTER_S = 10;

interface Asker {
  caller: Caller;
  signedIn: SignedIn;
}

interface Page {
  events: AuditEventJson[];
  /** Empty after the last page. */
  nextCursor: string;
}

/** Streams events to files. Reads the next page only when the browser has taken the one before. */
@Injectable()
export class AuditExports {
  private readonly running = new Map<string, number>();

  constructor(
    @InjectRpc(AuditService) private readonly audit: RpcClient<typeof AuditService>,
    private readonly names: AccountNames,
    private readonly sessions: SessionReader,
    private readonly outbox: RedisOutbox,
  ) {}

  /**
   * Starts an export. The first page is there when this resolves, so a refusal is one before anything is written.
   * @throws Fault `permission_denied`, `not_found`, `unavailable`; `resource_exhausted` beyond the exports at the same time
   */
  async start(asker: Asker, { format, ...filter }: ExportAuditEventsQuery): Promise<Readable> {
    const release = this.reserve(requireUser(asker.caller).userId);
    try {
      const events = await this.events(asker, filter);
      await this.record(asker.caller, format, filter);
      const file = format === 'csv' ? csvOf(AUDIT_COLUMNS, recordsOf(events)) : Readable.from(linesOf(events));
      file.once('close', release);
      return file;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** An export is an event, too. */
  private async record(caller: Caller, format: string, { account, ...filter }: AuditFilterQuery): Promise<void> {
    const accountId = account || requireUser(caller).accountId;
    const details = { format, everyAccount: account === '', ...filter };
    await this.outbox.record([auditEvent(caller, { action: 'audit.export', accountId, details })]);
  }

  private async events(asker: Asker, query: AuditFilterQuery): Promise<AsyncGenerator<AuditEventJson>> {
    const filter = filterOf(query);
    const namesOf = this.names.seenBy(asker.caller);
    const page = async (cursor: string): Promise<Page> => {
      const { events, nextCursor } = await this.audit.listEvents(asker.caller, { filter, limit: PAGE, cursor });
      const names = await namesOf(events.map(({ accountId }) => accountId));
      return { events: events.map((entry) => auditEventJson(entry, names.get(entry.accountId) ?? '')), nextCursor };
    };
    return this.pages(asker, await page(''), page);
  }

  private async *pages(
    asker: Asker,
    first: Page,
    page: (cursor: string) => Promise<Page>,
  ): AsyncGenerator<AuditEventJson> {
    for (let answer = first; ; answer = await page(answer.nextCursor)) {
      yield* answer.events;
      if (answer.nextCursor === '') return;
      await this.requireSameAccess(asker);
    }
  }

  /** An export may run for minutes: it ends with the session, and when the person's rights change. */
  private async requireSameAccess({ caller, signedIn }: Asker): Promise<void> {
    const now = await this.sessions.read(signedIn.secret, caller.requestId, true);
    if (now.caller && sameAccess(requireUser(caller), requireUser(now.caller))) return;
    throw new Fault('permission_denied', 'your rights have changed; start the export again.');
  }

  /** @returns its undo, which may be called more than once */
  private reserve(userId: string): () => void {
    const own = this.running.get(userId) ?? 0;
    const all = [...this.running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= MOST_OF_PERSON)
      throw new Fault('resource_exhausted', 'exports of yours are running; wait for one to finish.', {
        retryAfter: RETRY_AFTER_S,
      });
    if (all >= MOST)
      throw new Fault('resource_exhausted', 'others are exporting; try again in a moment.', {
        retryAfter: RETRY_AFTER_S,
      });
    this.running.set(userId, own + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = (this.running.get(userId) ?? 1) - 1;
      if (left > 0) this.running.set(userId, left);
      else this.running.delete(userId);
    };
  }
}

async function* recordsOf(events: AsyncIterable<AuditEventJson>): AsyncGenerator<string[]> {
  for await (const event of events) yield auditRecord(event);
}

async function* linesOf(events: AsyncIterable<AuditEventJson>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}
