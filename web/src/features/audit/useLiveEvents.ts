import { useCallback, useEffect, useState } from 'react';
import type { RefObject } from 'react';
import { useDispatch } from 'react-redux';
import { fresh as reread, inAccount } from '../../lib/api/api.ts';
import { auditApi, type AuditDispatch } from '../../lib/api/audit.ts';
import { changes } from '../../lib/api/changes.ts';
import type { AuditEvent } from '../../lib/api/types.ts';
import type { ListAuditEventsApiArg } from '../../lib/api/generated/audit.ts';
import { throttle } from '../../lib/api/throttle.ts';
import { isRead, useRelease } from './reading.ts';

const REFRESH_MS = 1_000;
/** Events of services arrive in any order, so each look reads more than the newest. */
const LOOK = 100;
/** A longer list is read again from its beginning. */
const MOST = 500;

interface Live {
  /** The list with what was recorded since, newest first; undefined while it is loading. */
  events: AuditEvent[] | undefined;
  /** How many wait until they can be shown without moving what is read. */
  waiting: number;
  /** Shows those that wait. */
  release: () => void;
}

interface LiveOptions {
  /** What the list shows. */
  query: ListAuditEventsApiArg;
  /** The newest page of the list; undefined while it is loading. */
  page: AuditEvent[] | undefined;
  /** Older events are on the next page. */
  oldest: string;
  on: boolean;
  /** The list, whose rows must not move while somebody points at one. */
  list: RefObject<HTMLElement | null>;
  /** Reads the list again. */
  reload: () => unknown;
}

/** Adds what is recorded while the page is open. */
export function useLiveEvents({ query, page, oldest, on, list, reload }: LiveOptions): Live {
  const dispatch = useDispatch<AuditDispatch>();
  const [added, setAdded] = useState<AuditEvent[]>([]);
  const [held, setHeld] = useState<ReadonlySet<string>>(NONE);
  const key = JSON.stringify(query);
  useEffect(() => {
    setAdded([]);
    setHeld(NONE);
    if (!on || !page) return undefined;
    const known = new Set(page.map(({ id }) => id));
    let isGone = false;
    const load = async () => {
      const ask = auditApi.endpoints.listAuditEvents.initiate({ ...query, limit: LOOK }, reread);
      const { data } = await dispatch(ask);
      if (isGone || !data) return;
      const found = data.events.filter(({ id }) => !known.has(id) && id > oldest);
      if (found.length === LOOK || known.size > MOST) return void reload();
      if (found.length === 0) return;
      for (const { id } of found) known.add(id);
      const holds = isRead(list.current);
      setAdded((now) => [...now, ...found]);
      setHeld((now) => (holds || now.size > 0 ? new Set([...now, ...found.map(({ id }) => id)]) : now));
    };
    const again = throttle(() => void load(), REFRESH_MS);
    const undo = changes.subscribe((change) => {
      if (change.kind === 'resync' || (change.kind === 'audit' && inAccount(query.account, change))) again.call();
    });
    return () => {
      isGone = true;
      undo();
      again.cancel();
    };
  }, [key, page, on]);
  const release = useCallback(() => setHeld(NONE), []);
  useRelease(list, held.size > 0, release);
  const shown = added.filter(({ id }) => !held.has(id));
  // Ids begin with the time.
  const events = page && [...shown, ...page].sort((one, other) => (one.id < other.id ? 1 : -1));
  return { events, waiting: held.size, release };
}

const NONE: ReadonlySet<string> = new Set();
