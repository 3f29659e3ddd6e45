const HOUR = 3_600_000;
/** Spans of time up to now, in milliseconds. */
export const RANGES = { '1h': HOUR, '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': 720 * HOUR } as const;
type Range = keyof typeof RANGES;

/** A span of time: up to now, or between two times (ISO 8601); for any time all are null. */
export interface TimeRange {
  range: Range | null;
  from: string | null;
  to: string | null;
}

const timeIn = (text: string | null) => (text && !Number.isNaN(Date.parse(text)) ? text : null);

/** Reads a span of time from the query of a page. */
export function readTimeRange(query: URLSearchParams): TimeRange {
  const range = query.get('range') ?? '';
  return {
    range: Object.hasOwn(RANGES, range) ? (range as Range) : null,
    from: timeIn(query.get('from')),
    to: timeIn(query.get('to')),
  };
}

/** The times that the hub is asked for. A range ends when it is read, and begins so long before. */
export function timesOf({ range, from, to }: TimeRange, now: number): { from: string | null; to: string | null } {
  return range ? { from: new Date(now - RANGES[range]).toISOString(), to: null } : { from, to };
}
