import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type {
  DeviceMatchesSchema,
  DeviceMatchSchema,
  DeviceQuery,
  ListDeviceAccountsResponseSchema,
} from '@warren/proto/devices/v1/matching';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { requireReferring } from '../filters/device.filter.ts';
import { decidable, type Decided } from '../filters/saved.terms.ts';
import { countMatches, findMatches, listAccounts, type MatchRow } from './matching.sql.ts';

const MOST_QUERIES = 100;
/** Ids of accounts and devices, in all queries. */
const MOST_IDS = 10_000;
/** Devices in an answer: of the longest names about half a megabyte, and the bus carries one. */
const MOST_MATCHES = 2_000;
const MOST_ACCOUNTS = 2_000;
/** The caller waits for 5 s. */
const BUDGET_MS = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

type Matches = MessageInitShape<typeof DeviceMatchesSchema>;

/** Which devices the conditions of fleet's rules hold for. */
@Injectable()
export class MatchingService {
  constructor(private readonly source: DataSource) {}

  /**
   * Fleet and audit only. Answers queries in their order until the answer is full or 2 s have passed, the first one in any case.
   * @throws Fault `invalid_argument` for a filter, or for too many queries or ids
   */
  async match(
    caller: Caller,
    { queries, after }: { queries: DeviceQuery[]; after: string },
  ): Promise<{ answers: Matches[] }> {
    requireService(caller, 'fleet', 'audit');
    requireBounds(queries);
    const end = Date.now() + BUDGET_MS;
    const answers: Matches[] = [];
    let room = MOST_MATCHES;
    for (const [at, query] of queries.entries()) {
      if (room === 0 || (at > 0 && Date.now() > end)) break;
      const from = at === 0 && isUuid(after) ? after : undefined;
      const { filter, problem = '' } = await this.filterOf(query);
      if (!filter) {
        answers.push({ undecided: problem });
        continue;
      }
      const rows = await findMatches(this.source, { ...query, filter }, { after: from, limit: room + 1 });
      const fitting = rows.slice(0, room);
      const next = rows.length > room ? fitting.at(-1)?.device_id : undefined;
      answers.push({ matches: fitting.map(asMatch), next: next ?? '' });
      room -= fitting.length;
    }
    return { answers };
  }

  /** Fleet only. @throws Fault as {@link match} */
  async count(caller: Caller, { queries }: { queries: DeviceQuery[] }): Promise<{ counts: number[] }> {
    requireService(caller, 'fleet');
    requireBounds(queries);
    const counts: number[] = [];
    for (const query of queries) {
      const { filter, problem = '' } = await this.filterOf(query);
      if (!filter) throw invalidInput({ field: 'filter', message: problem, value: shownValue(query.filter) });
      counts.push(await countMatches(this.source, { ...query, filter }));
    }
    return { counts };
  }

  private async filterOf({ filter, accountIds }: DeviceQuery): Promise<Decided> {
    const [decided] = await decidable(this.source, [requireReferring(filter, 'filter')], { accountIds });
    return decided ?? { problem: 'expected a filter.' };
  }

  /** Fleet only. */
  async accounts(
    caller: Caller,
    { after }: { after: string },
  ): Promise<MessageInitShape<typeof ListDeviceAccountsResponseSchema>> {
    requireService(caller, 'fleet');
    const rows = await listAccounts(this.source, { after: isUuid(after) ? after : FIRST, limit: MOST_ACCOUNTS });
    return { accounts: rows.map(({ id, name, has_devices: hasDevices }) => ({ id, name, hasDevices })) };
  }
}

function requireBounds(queries: readonly DeviceQuery[]): void {
  const ids = queries.flatMap(({ accountIds, deviceIds }) => [...accountIds, ...deviceIds]);
  if (queries.length > MOST_QUERIES || ids.length > MOST_IDS) {
    const message = `${queries.length} with ${ids.length} ids came, expected at most ${MOST_QUERIES} with ${MOST_IDS}.`;
    throw invalidInput({ field: 'queries', message });
  }
  const wrong = ids.find((id) => !isUuid(id));
  if (wrong !== undefined) throw invalidInput({ field: 'queries', message: `${wrong} came, expected an id.` });
}

function asMatch(row: MatchRow): MessageInitShape<typeof DeviceMatchSchema> {
  const { device_id: deviceId, account_id: accountId, name, current, since, value, detail } = row;
  const match = { deviceId, accountId, name, current, since: timestampFromDate(since), detail };
  return value === null ? match : { ...match, value };
}
