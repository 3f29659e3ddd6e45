import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { MatchingService, type DeviceMatch } from '@warren/proto/devices/v1/matching';
import type { Query } from './questions.ts';

/** What the devices service takes in a call. */
const MOST_QUERIES = 100;
const MOST_IDS = 10_000;
/** Leaves room for devices in a query that names accounts, and the other way round. */
const MOST_IN_QUERY = 2_000;
const TIMEOUT_MS = 15_000;

/** A query that the devices service takes. */
export type CheckedQuery = Query & { accountIds: string[] };

/** The devices of a query. */
export interface Found {
  matches: DeviceMatch[];
  /** Not empty if nothing is known of them: why. */
  undecided: string;
}

/** Asks the devices service which devices a condition holds for. */
@Injectable()
export class DeviceMatcher {
  constructor(@InjectRpc(MatchingService) private readonly matching: RpcClient<typeof MatchingService>) {}

  /** All devices of each query. @throws Fault `unavailable`, `deadline_exceeded` */
  async match(queries: readonly CheckedQuery[]): Promise<Found[]> {
    const found = queries.map((): Found => ({ matches: [], undecided: '' }));
    for (let at = 0, after = ''; at < queries.length;) {
      const request = { queries: batchOf(queries.slice(at)), after };
      const { answers } = await this.matching.matchDevices(serviceCaller('fleet'), request, { timeoutMs: TIMEOUT_MS });
      if (answers.length === 0) throw new Fault('unavailable', 'the devices service answers no query.');
      for (const [place, { matches, undecided }] of answers.entries()) {
        const one = found[at + place];
        for (const match of matches) one?.matches.push(match);
        if (one && undecided !== '') one.undecided = undecided;
      }
      after = answers.at(-1)?.next ?? '';
      // One that is not finished is asked again.
      at += answers.length - (after === '' ? 0 : 1);
    }
    return found;
  }

  /** How many devices each query finds. @throws Fault as {@link match}, `invalid_argument` for a filter */
  async count(queries: readonly CheckedQuery[]): Promise<number[]> {
    const counts: number[] = [];
    while (counts.length < queries.length) {
      const request = { queries: batchOf(queries.slice(counts.length)) };
      const answer = await this.matching.countMatches(serviceCaller('fleet'), request, { timeoutMs: TIMEOUT_MS });
      if (answer.counts.length === 0) throw new Fault('unavailable', 'the devices service answers no query.');
      counts.push(...answer.counts);
    }
    return counts;
  }
}

/** As many of the first queries as fit in a call. */
function batchOf(queries: readonly CheckedQuery[]): CheckedQuery[] {
  let ids = 0;
  const most = queries.findIndex(({ accountIds, deviceIds = [] }, at) => {
    ids += accountIds.length + deviceIds.length;
    return at === MOST_QUERIES || (at > 0 && ids > MOST_IDS);
  });
  return queries.slice(0, most === -1 ? queries.length : most);
}

/** Cuts a list into pieces of a length. */
export function piecesOf<T>(all: readonly T[], length = MOST_IN_QUERY): T[][] {
  return Array.from({ length: Math.ceil(all.length / length) }, (_, at) => all.slice(at * length, (at + 1) * length));
}
