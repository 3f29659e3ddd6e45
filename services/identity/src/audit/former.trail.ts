import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Rounds } from '@warren/platform/service/rounds';
import { AuditService } from '@warren/proto/audit/v1/audit';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { formerRows, type FormerTrailRow } from './former.trail.sql.ts';

/** Where identity of 0.1 parks rows until it writes them. */
export const FORMER_WAITING = 'identity:audit:waiting';
/** Id of the last row that was handed over. */
const HANDED_OVER = 'identity:audit:handed-over';

const EVERY_MS = 10_000;
const PAGE = 500;
/** Rows that are younger are read again: replicas of 0.1 write them later than their ids say. */
const LATE_MS = 3_600_000;
const NONE = '00000000-0000-0000-0000-000000000000';

const waitingRow = z.object({
  id: z.uuid(),
  time: z.iso.datetime().transform((text) => new Date(text)),
  action: z.string(),
  actor: z.string(),
  detail: z.string(),
  remote_address: z.string(),
  user_agent: z.string(),
});

/**
 * Hands the rows of the former audit trail over to the audit service, those too that replicas of 0.1 write during an upgrade. The rows stay
 * where they are.
 */
@Injectable()
export class FormerTrail implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(FormerTrail.name);
  private readonly rounds = new Rounds({
    of: FormerTrail.name,
    everyMs: EVERY_MS,
    failed: 'The former audit trail waits to be handed over',
    round: () => this.handOver(),
  });
  private stopping = false;

  constructor(
    private readonly source: DataSource,
    private readonly redis: RedisLink,
    @InjectRpc(AuditService) private readonly audit: RpcClient<typeof AuditService>,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return this.rounds.stop();
  }

  /** Hands over what is new. The audit service leaves out what it has. */
  async handOver(now = Date.now()): Promise<void> {
    await this.handOverWaiting();
    let last = (await this.redis.client.get(HANDED_OVER)) ?? NONE;
    for (let full = true; full && !this.stopping;) {
      const rows = await formerRows(this.source, last, PAGE);
      if (rows.length > 0) await this.send(rows);
      last = rows.at(-1)?.id ?? last;
      const late = idAt(now - LATE_MS);
      await this.redis.client.set(HANDED_OVER, last < late ? last : late);
      full = rows.length === PAGE;
    }
  }

  private async handOverWaiting(): Promise<void> {
    let cursor = '0';
    do {
      const [next, found] = await this.redis.client.hscan(FORMER_WAITING, cursor, 'COUNT', PAGE);
      const rows = found.flatMap((text, at) => (at % 2 === 1 ? this.parsed(text) : []));
      if (rows.length > 0) await this.send(rows);
      if (rows.length > 0) await this.redis.client.hdel(FORMER_WAITING, ...rows.map(({ id }) => id));
      cursor = next;
    } while (cursor !== '0' && !this.stopping);
  }

  private async send(rows: readonly FormerTrailRow[]): Promise<void> {
    await this.audit.importEvents(serviceCaller('identity'), {
      rows: rows.map(({ time, remote_address: remoteAddress, user_agent: userAgent, ...row }) => ({
        ...row,
        time: timestampFromDate(time),
        remoteAddress,
        userAgent,
      })),
    });
  }

  private parsed(text: string): FormerTrailRow[] {
    try {
      return [waitingRow.parse(JSON.parse(text))];
    } catch (error) {
      this.log.error({ err: error }, 'A row of the former audit trail in Redis cannot be read.');
      return [];
    }
  }
}

/** The least id of a time, in milliseconds since 1970. */
function idAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
