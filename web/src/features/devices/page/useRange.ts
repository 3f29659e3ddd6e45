import { useSearchParams } from 'react-router';
import { useNow } from '../../../ui/useNow.ts';

const MINUTE = 60;
export const RANGES = { '1h': 3_600, '24h': 86_400, '7d': 604_800, '30d': 2_592_000, '1y': 31_536_000 } as const;
export type RangeName = keyof typeof RANGES;
const USUAL: RangeName = '24h';

/** The span that charts show, in seconds since 1970. */
interface Range {
  /** Undefined while zoomed in. */
  name: RangeName | undefined;
  from: number;
  to: number;
}

export interface RangeControl {
  range: Range;
  choose: (name: RangeName) => void;
  zoom: (from: number, to: number) => void;
  zoomOut: () => void;
}

/** Zoomed out no further than the longest range. */
const WIDEST = RANGES['1y'];

/** The span in the address: one of the ranges up to now, or the part that was zoomed into. */
export function useRange(): RangeControl {
  const [query, setQuery] = useSearchParams();
  const now = useNow(MINUTE * 1_000);
  const put = (values: Record<string, string | null>) =>
    setQuery(
      (old) => {
        const next = new URLSearchParams(old);
        for (const [key, value] of Object.entries(values)) {
          if (value === null) next.delete(key);
          else next.set(key, value);
        }
        return next;
      },
      { replace: true },
    );
  const [from, to] = ['from', 'to'].map((key) => Number(query.get(key))) as [number, number];
  const isZoomed = Number.isSafeInteger(from) && Number.isSafeInteger(to) && from > 0 && to > from;
  const asked = query.get('range') ?? '';
  const name: RangeName = Object.hasOwn(RANGES, asked) ? (asked as RangeName) : USUAL;
  // By whole minutes, so that the same answer serves until there is a newer one.
  const end = Math.ceil(now / 1_000 / MINUTE) * MINUTE;
  const range: Range = isZoomed ? { name: undefined, from, to } : { name, from: end - RANGES[name], to: end };
  const zoom = (start: number, stop: number) => {
    const width = Math.min(Math.max(stop - start, MINUTE), WIDEST);
    // Nothing is known of the future.
    const last = Math.min(Math.max(stop, start + width), end);
    put({ from: String(last - width), to: String(last) });
  };
  return {
    range,
    zoom,
    choose: (next: RangeName) => put({ range: next === USUAL ? null : next, from: null, to: null }),
    zoomOut: () => put({ from: null, to: null }),
  };
}
