import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { listScope, requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import {
  UsageStep,
  type GetUsageRequest,
  type GetUsageResponseSchema,
  type KindUsageSchema,
  type ListUsageRequest,
  type ListUsageResponseSchema,
} from '@warren/proto/tenancy/v1/usage';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { check, invalid } from '../contract/check.ts';
import { asKindUsage } from './usage.kinds.ts';
import { hasUsage, usageOf, usageOfAccounts } from './usage.sql.ts';

interface Span {
  start: Timestamp;
  kinds: MessageInitShape<typeof KindUsageSchema>[];
}

const DAY_MS = 86_400_000;
/** Units of PostgreSQL, and the longest range: with every kind in each span an answer fits into a message of the bus (1 MiB). */
const STEPS: Partial<Record<UsageStep, { unit: string; maxDays: number }>> = {
  [UsageStep.HOUR]: { unit: 'hour', maxDays: 31 },
  [UsageStep.DAY]: { unit: 'day', maxDays: 366 },
  [UsageStep.MONTH]: { unit: 'month', maxDays: 800 },
};
/** Accounts of one answer. */
const MAX_ACCOUNTS = 500;
const monthRule = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'expected a month such as 2026-11.');

/** What accounts have used, by hours in UTC. */
@Injectable()
export class UsageService {
  constructor(private readonly source: DataSource) {}

  /**
   * One account, from `from` on and before `to`. An account that was deleted has its usage as long as it is kept.
   * @throws Fault `not_found`; `permission_denied`; `invalid_argument` for a range that is empty or too long
   */
  async get(
    caller: Caller,
    request: Pick<GetUsageRequest, 'accountId' | 'from' | 'to' | 'step'>,
  ): Promise<MessageInitShape<typeof GetUsageResponseSchema>> {
    const { accountId } = request;
    requireMay(caller, 'usage.read', accountId);
    const { unit, from, to } = rangeOf(request);
    if (!(await this.isKnown(accountId))) throw new Fault('not_found', `account ${accountId}.`);
    const rows = await usageOf(this.source, accountId, { from, to, unit });
    const spans = new Map<number, Span>();
    for (const { start, ...row } of rows) {
      const span = spans.get(start.getTime());
      const kind = asKindUsage(row);
      if (span) span.kinds.push(kind);
      else spans.set(start.getTime(), { start: timestampFromDate(start), kinds: [kind] });
    }
    return { spans: [...spans.values()] };
  }

  /** Every account with usage in a month, by id. @throws Fault `permission_denied`; `invalid_argument` */
  async list(
    caller: Caller,
    request: Pick<ListUsageRequest, 'month' | 'after' | 'limit'>,
  ): Promise<MessageInitShape<typeof ListUsageResponseSchema>> {
    listScope(caller, 'usage.list-all', '');
    const month = check('month', monthRule, request.month);
    const { after } = request;
    if (after !== '' && !isUuid(after)) throw invalid('after', 'expected the id of an account.', after);
    const limit = Math.min(request.limit || MAX_ACCOUNTS, MAX_ACCOUNTS);
    const [from, to] = monthBounds(month);
    const rows = await usageOfAccounts(this.source, { from, to, after: after || null, limit });
    const accounts = rows.map(({ account_id: accountId, name, kinds }) => ({
      accountId,
      name,
      kinds: kinds.map(asKindUsage),
    }));
    return { accounts, next: rows.length === limit ? (rows.at(-1)?.account_id ?? '') : '' };
  }

  private async isKnown(accountId: string): Promise<boolean> {
    return isUuid(accountId) && (await hasUsage(this.source, accountId));
  }
}

/** In UTC: where it begins, and where the next one does. */
function monthBounds(month: string): [Date, Date] {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return [new Date(Date.UTC(year, number - 1)), new Date(Date.UTC(year, number))];
}

function rangeOf({ from, to, step }: { from?: Timestamp; to?: Timestamp; step: UsageStep }) {
  const { unit, maxDays } = STEPS[step] ?? {};
  if (!unit || maxDays === undefined) throw invalid('step', 'expected hour, day or month.');
  if (!from) throw invalid('from', 'expected a day such as 2026-11-01.');
  if (!to) throw invalid('to', 'expected a day such as 2026-12-01.');
  const [start, end] = [timestampDate(from), timestampDate(to)];
  const days = (end.getTime() - start.getTime()) / DAY_MS;
  if (days <= 0) throw invalid('to', 'expected a day after `from`.', end.toISOString());
  if (days > maxDays) throw invalid('to', `expected at most ${maxDays} days after \`from\`.`, end.toISOString());
  return { unit, from: start, to: end };
}
