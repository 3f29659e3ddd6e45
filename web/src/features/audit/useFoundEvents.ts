import { useEffect, useState } from 'react';
import { auditApi } from '../../lib/api/audit.ts';
import type { ListAuditEventsApiArg } from '../../lib/api/generated/audit.ts';

/**
 * Reads a page of events. The hub answers a search for a rare text with what it found in a short time, also with nothing: the search
 * continues further back until there is an event.
 */
export function useFoundEvents(query: ListAuditEventsApiArg) {
  const key = JSON.stringify(query);
  const [reached, setReached] = useState({ key, before: query.before });
  const before = reached.key === key ? reached.before : query.before;
  const answer = auditApi.useListAuditEventsQuery({ ...query, ...(before && { before }) });
  const { currentData } = answer;
  const next = currentData?.events.length === 0 ? currentData.next : null;
  useEffect(() => {
    if (next) setReached({ key, before: next });
  }, [key, next]);
  return { ...answer, currentData: next ? undefined : currentData };
}
