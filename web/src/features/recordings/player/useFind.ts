import { useDebouncedValue } from '@mantine/hooks';
import { RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import { useEffect, useState } from 'react';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import type { Hit } from '../marks/moments.ts';

const PAUSE_MS = 300;
const LIMIT = 200;
const NONE: Hit[] = [];

/** A search in one recording. */
export interface FindControl {
  typed: string;
  type: (text: string) => void;
  /** What is searched for; empty: nothing. */
  text: string;
  hits: readonly Hit[];
  hasMore: boolean;
  isBusy: boolean;
  error: unknown;
}

/** Searches in a recording. @param begin a text from the address */
export function useFind(recording: string, begin: string): FindControl {
  const [typed, setTyped] = useState(begin);
  const [later] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const text = later.length >= RECORDING_LIMITS.search.min ? later : '';
  const [reached, setReached] = useState({ text, cursor: '' });
  const cursor = reached.text === text ? reached.cursor : '';
  const answer = recordingsApi.useSearchRecordingsQuery(
    { recording, search: text, limit: LIMIT, ...(cursor && { cursor }) },
    { skip: text === '' },
  );
  const { currentData, error, isFetching } = answer;
  // The hub ends a page after a short time, also without a hit.
  const next = currentData?.hits.length === 0 ? currentData.next : null;
  useEffect(() => {
    if (next) setReached({ text, cursor: next });
  }, [text, next]);
  return {
    typed,
    type: setTyped,
    text,
    hits: text === '' ? NONE : (currentData?.hits ?? NONE),
    hasMore: Boolean(currentData?.next),
    isBusy: isFetching || Boolean(next),
    error,
  };
}
