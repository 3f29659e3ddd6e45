import { ago, time } from '../lib/format.ts';
import { useNow } from './useNow.ts';
import { useTip } from './useTip.tsx';

const RENEW_MS = 30_000;

/** Shows a time relative to now; the exact one on hover and to screen readers. */
export function When({ at }: { at: string | null | undefined }) {
  const now = useNow(RENEW_MS);
  const { target, tip } = useTip<HTMLTimeElement>(time(at));
  return (
    <time {...target} dateTime={at ?? ''} tabIndex={-1}>
      {ago(at, now)}
      {tip}
    </time>
  );
}
