import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { hubNow } from '../../lib/clock.ts';
import { readTimeRange, timesOf, type TimeRange } from '../../lib/time-range.ts';

export const OUTCOMES = ['success', 'refused', 'failed'] as const;

type Outcome = (typeof OUTCOMES)[number];

/** Which events are shown: in the address alone, so that a link shows the same. */
export interface AuditFilters extends TimeRange {
  search: string;
  action: string | null;
  actor: string | null;
  target: string | null;
  request: string | null;
  outcome: Outcome | null;
  /** A cursor: events older than it. */
  before: string | null;
  live: boolean;
}

export type AuditFilterChange = Partial<Record<keyof AuditFilters, string | null>>;

/** What narrows the list, without page and mode. */
const NARROWING = ['search', 'action', 'actor', 'target', 'request', 'outcome', 'range', 'from', 'to'] as const;

function read(query: URLSearchParams): AuditFilters {
  return {
    ...readTimeRange(query),
    search: query.get('search') ?? '',
    action: query.get('action'),
    actor: query.get('actor'),
    target: query.get('target'),
    request: query.get('request'),
    outcome: OUTCOMES.find((one) => one === query.get('outcome')) ?? null,
    before: query.get('before'),
    live: query.get('live') === 'yes',
  };
}

/** What the hub is asked for, without a page. */
function askedOf(filters: AuditFilters, now: number) {
  const { search, action, actor, target, request, outcome } = filters;
  const given = { search: search.trim(), action, actor, target, request, outcome, ...timesOf(filters, now) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value)) as Asked;
}

interface Asked {
  search?: string;
  action?: string;
  actor?: string;
  target?: string;
  request?: string;
  outcome?: Outcome;
  from?: string;
  to?: string;
}

/** The filters in the address, and ways to change them. A change begins with the newest events again. */
export function useAuditFilters() {
  const [query, setQuery] = useSearchParams();
  const filters = read(query);
  const put = (change: AuditFilterChange, replace = true) =>
    setQuery(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [key, value] of Object.entries({ before: null, ...change })) {
          if (value) next.set(key, value);
          else next.delete(key);
        }
        return next;
      },
      { replace },
    );
  const key = JSON.stringify(NARROWING.map((name) => filters[name]));
  const asked = useMemo(() => askedOf(filters, hubNow()), [key]);
  return {
    filters,
    asked,
    isFiltered: NARROWING.some((name) => filters[name]),
    change: (change: AuditFilterChange) => put(change),
    page: (before: string | null) => put({ before }, false),
    clear: () => put(Object.fromEntries(NARROWING.map((name) => [name, null]))),
  };
}
