import { VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AccessRequest } from '../../lib/api/types.ts';
import { requestsApi } from '../../lib/api/requests.ts';
import { accessRequests as text } from '../../lib/messages/access-requests.ts';
import { useSession } from '../../lib/session.ts';
import { succeeded } from '../../lib/toast.ts';
import classes from './RequestCount.module.css';

/** What the badge has room for. */
const MOST = 99;
const RECENT = 20;

/** How many access requests wait for a decision of the person; and notices of the decisions about their own. */
export function RequestCount() {
  const { account } = useSession();
  const { data } = requestsApi.useListAccessRequestsQuery({ id: account, state: 'open', limit: 1 });
  useOwnDecisions();
  const count = data?.to_decide ?? 0;
  if (count === 0) return null;
  return (
    <span className={classes.count}>
      <span aria-hidden>{count > MOST ? text.most : count}</span>
      <VisuallyHidden>{text.toDecide(count)}</VisuallyHidden>
    </span>
  );
}

/** Says that a request of the person was decided, or has expired, since the console was opened. */
function useOwnDecisions(): void {
  const { account, user } = useSession();
  const { data } = requestsApi.useListAccessRequestsQuery({ id: account, state: 'ended', limit: RECENT });
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!data) return;
    const own = data.requests.filter(({ requester }) => requester.id === user);
    const fresh = known.current ? own.filter(({ id }) => !known.current?.has(id)) : [];
    known.current = new Set([...(known.current ?? []), ...own.map(({ id }) => id)]);
    for (const request of fresh) notify(request);
  }, [data, user]);
}

function notify({ state, device, filter, decisions }: AccessRequest): void {
  const title = text.notices[state];
  if (title === '') return;
  const last = decisions.at(-1);
  const what = device?.name ?? filter;
  succeeded(title, [what, last ? text.by(last.by.name) : '', last?.note ?? ''].filter(Boolean).join(' · '));
}
