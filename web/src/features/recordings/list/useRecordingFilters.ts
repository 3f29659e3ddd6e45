import { RECORDING_KINDS, RECORDING_LIMITS, type RecordingKind } from '@warren/rules/recordings/settings';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { ALL } from '../../../lib/access.ts';
import { hubNow } from '../../../lib/clock.ts';
import { mayViewRecordings } from '../../../lib/recording-access.ts';
import { useSession } from '../../../lib/session.ts';
import { readTimeRange, timesOf, type TimeRange } from '../../../lib/time-range.ts';

export const STATES = ['live', 'over', 'held'] as const;
type State = (typeof STATES)[number];

/** Which recordings are shown: in the address alone, so that a link shows the same. */
export interface RecordingFilters extends TimeRange {
  /** Text on the screen; empty: sessions are listed. */
  search: string;
  device: string | null;
  person: string | null;
  kind: RecordingKind | null;
  state: State | null;
  /** A cursor: recordings older than it. */
  before: string | null;
  /** A cursor among hits. */
  cursor: string | null;
}

export type RecordingFilterChange = Partial<Record<keyof RecordingFilters, string | null>>;

const NARROWING = ['search', 'device', 'person', 'kind', 'state', 'range', 'from', 'to'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function read(query: URLSearchParams): RecordingFilters {
  const device = query.get('device');
  return {
    ...readTimeRange(query),
    search: query.get('search') ?? '',
    device: device && UUID.test(device) ? device : null,
    person: query.get('person'),
    kind: RECORDING_KINDS.find((one) => one === query.get('kind')) ?? null,
    state: STATES.find((one) => one === query.get('state')) ?? null,
    before: query.get('before'),
    cursor: query.get('cursor'),
  };
}

/** The filters in the address, and ways to change them. A change begins with the newest again. */
export function useRecordingFilters() {
  const session = useSession();
  const [query, setQuery] = useSearchParams();
  const filters = read(query);
  // Only SuperAdmins see recordings of other accounts.
  const isChooser = session.group?.role === 'SuperAdmin' && session.operator;
  const account = isChooser ? (query.get('account') ?? ALL) : session.account;
  const put = (change: RecordingFilterChange, replace = true) =>
    setQuery(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [key, value] of Object.entries({ before: null, cursor: null, ...change })) {
          if (value) next.set(key, value);
          else next.delete(key);
        }
        return next;
      },
      { replace },
    );
  const key = JSON.stringify([account, ...NARROWING.map((name) => filters[name])]);
  const asked = useMemo(() => askedOf(filters, account, hubNow()), [key]);
  const search = filters.search.trim();
  const views = account === ALL || mayViewRecordings(session, account);
  return {
    filters,
    account,
    isAll: account === ALL,
    views,
    asked,
    /** What is searched for; null: sessions are listed. */
    search: views && search.length >= RECORDING_LIMITS.search.min ? search : null,
    isFiltered: NARROWING.some((name) => filters[name]),
    change: (change: RecordingFilterChange) => put(change),
    page: (change: Pick<RecordingFilterChange, 'before' | 'cursor'>) => put(change, false),
    clear: () => put(Object.fromEntries(NARROWING.map((name) => [name, null]))),
  };
}

/** What both the list and a search are asked for. */
function askedOf(filters: RecordingFilters, account: string, now: number) {
  const { device, person, kind, state } = filters;
  const times = timesOf(filters, now);
  return {
    common: given({ account: account === ALL ? null : account, device, person, ...times }),
    list: { ...given({ kind }), ...listed(state) },
  };
}

function listed(state: State | null): { live?: 'true' | 'false'; held?: 'true' } {
  if (state === 'held') return { held: 'true' };
  return state ? { live: state === 'live' ? 'true' : 'false' } : {};
}

type Given<T> = { [K in keyof T]?: NonNullable<T[K]> };

const given = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Given<T>;
