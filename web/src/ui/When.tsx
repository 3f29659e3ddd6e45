import { Tooltip } from '@mantine/core';
import { ago, time } from '../lib/format.ts';
import { useNow } from './useNow.ts';

const RENEW_MS = 30_000;

/** A moment as seen from now; the exact one on hover and for those who listen. */
export function When({ at }: { at: string | null | undefined }) {
  const now = useNow(RENEW_MS);
  const exact = time(at);
  return (
    <Tooltip label={exact}>
      <time dateTime={at ?? ''} tabIndex={-1}>
        {ago(at, now)}
      </time>
    </Tooltip>
  );
}
