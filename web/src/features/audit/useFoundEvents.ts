import { useCallback, useEffect, useState } from 'react';
import { auditApi } from '../../lib/api/audit.ts';
import type { ListAuditEventsApiArg } from '../../lib/api/generated/audit.ts';

/**
 * Reads a page of events. The hub answers a search for a rare text with what it found in a short time, also with nothing: the search
 * continues further back until there is an event. `refetch` searches from the newest event again.
 */
export function useFoundEvents(query: ListAuditEventsApiArg) {
  const key = JSON.stringify(query);
  const begin = { key, before: query.before };
  const [reached, setReached] = useState(begin);
  // An earlier search of the same text reached its place some time ago.
  if (reached.key !== key) setReached(begin);
  const before = reached.key === key ? reached.before : query.before;
  const answer = auditApi.useListAuditEventsQuery({ ...query, ...(before && { before }) });
  const { currentData, refetch: again } = answer;
  const next = currentData?.events.length === 0 ? currentData.next : null;
  useEffect(() => {
    if (next) setReached({ key, before: next });
  }, [key, next]);
  const isAtBegin = before === query.before;
  const refetch = useCallback(() => {
    if (isAtBegin) void again();
    else setReached(begin);
  }, [key, isAtBegin, again]);
  return { ...answer, refetch, currentData: next ? undefined : currentData };
}
