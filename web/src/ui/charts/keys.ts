/** A span of time, in seconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** As `aria-keyshortcuts`. */
export const CHART_KEYS = 'ArrowLeft ArrowRight + - 0';

const STEP = 0.25;
const ZOOMS: Readonly<Record<string, number>> = { '+': 0.5, '=': 0.5, '-': 2, _: 2 };

/**
 * The span that a key leads to; null for the whole range, undefined for a key without a meaning.
 * @param at the time under the pointer, which zooming leaves in its place; without one it leaves the newest edge there
 */
export function spanAfter({ from, to }: Span, key: string, at = to): Span | null | undefined {
  const width = to - from;
  if (key === '0') return null;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const by = Math.round(width * STEP) * (key === 'ArrowLeft' ? -1 : 1);
    return { from: from + by, to: to + by };
  }
  const zoom = ZOOMS[key];
  if (zoom === undefined) return undefined;
  return { from: Math.floor(at - (at - from) * zoom), to: Math.ceil(at + (to - at) * zoom) };
}
