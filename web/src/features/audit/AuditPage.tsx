import { Button, Skeleton, Switch } from '@mantine/core';
import { useCallback, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { mayManageAudit } from '../../lib/alert-access.ts';
import type { AuditEvent } from '../../lib/api/types.ts';
import { audit as text } from '../../lib/messages/audit.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { Pages } from '../../ui/Pages.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { useNow } from '../../ui/useNow.ts';
import { useRowKeys } from '../../ui/useRowKeys.ts';
import classes from './audit.module.css';
import { AuditRow } from './AuditRow.tsx';
import { AuditToolbar } from './AuditToolbar.tsx';
import { daysOf } from './days.ts';
import { ExportMenu } from './ExportMenu.tsx';
import { useAuditFilters, type AuditFilterChange } from './useAuditFilters.ts';
import { useAuditScope } from './useAuditScope.ts';
import { useFoundEvents } from './useFoundEvents.ts';
import { useLiveEvents } from './useLiveEvents.ts';

const LIMIT = 50;
const MINUTE_MS = 60_000;
const SKELETON_ROWS = 8;
const keyOf = ({ id }: AuditEvent) => id;

/** Who did what, when and from where: of an account, or of all. */
export function AuditPage() {
  const { query, isAll } = useAuditScope();
  const { filters, asked, isFiltered, change, page, clear } = useAuditFilters();
  const { before, live } = filters;
  const filter = { ...query, ...asked };
  const answer = useFoundEvents({ ...filter, limit: LIMIT, ...(before && { before }) });
  const { currentData, error, refetch } = answer;
  const list = useRef<HTMLDivElement>(null);
  // Older pages do not change.
  const on = live && !before;
  const oldest = currentData?.next ?? '';
  const fresh = useLiveEvents({ query: filter, page: currentData?.events, oldest, on, list, reload: refetch });
  const { events } = fresh;
  return (
    <Page
      title={text.title}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }]} />}
      actions={<Actions filter={filter} account={query.account} />}
    >
      <AuditToolbar filters={filters} targetName={events?.[0]?.target?.name} onChange={change}>
        <Switch
          size="sm"
          label={text.live}
          title={text.liveHint}
          checked={live}
          onChange={(event) => change({ live: event.currentTarget.checked ? 'yes' : null })}
        />
      </AuditToolbar>
      <div className={classes.fresh}>
        {fresh.waiting > 0 ? (
          <Button size="compact-sm" variant="default" onClick={fresh.release}>
            {text.showFresh(fresh.waiting)}
          </Button>
        ) : null}
      </div>
      {error && !currentData ? (
        <Failure title={text.failed} error={error} retry={refetch} />
      ) : (
        <div ref={list} className={classes.frame} aria-busy={!events}>
          <Content
            events={events}
            withAccount={isAll}
            onFilter={change}
            none={<None isFiltered={isFiltered} onClear={clear} />}
          />
        </div>
      )}
      <Pages cursor={before} next={currentData?.next ?? null} first={text.newest} more={text.older} onPage={page} />
    </Page>
  );
}

function Content({ events, none, ...props }: Omit<EventsProps, 'events'> & ContentProps) {
  if (!events) return <Loading />;
  return events.length > 0 ? <Events events={events} {...props} /> : none;
}

function Actions({ filter, account }: { filter: Record<string, string>; account: string | undefined }) {
  const session = useSession();
  const to = account && session.operator ? `/audit/streams?account=${encodeURIComponent(account)}` : '/audit/streams';
  return (
    <>
      {mayManageAudit(session, account ?? session.account) ? (
        <Button component={Link} to={to} variant="default">
          {text.streams}
        </Button>
      ) : null}
      <ExportMenu query={filter} />
    </>
  );
}

interface ContentProps {
  /** Undefined while the first answer loads. */
  events: AuditEvent[] | undefined;
  /** Instead of a list without events. */
  none: ReactNode;
}

interface EventsProps {
  events: AuditEvent[];
  withAccount: boolean;
  onFilter: (change: AuditFilterChange) => void;
}

/** Events by day, newest first. `j`, `k` and Enter walk them as the rows of tables. */
function Events({ events, withAccount, onFilter }: EventsProps) {
  const now = useNow(MINUTE_MS);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(({ id }: AuditEvent) => setOpened((ids) => toggled(ids, id)), []);
  const current = useRowKeys({ rows: events, rowKey: keyOf, onOpen: toggle });
  return daysOf(events, now).map(({ key, label, events: ofDay }) => (
    <section key={key} aria-label={label}>
      <h2 className={classes.day}>{label}</h2>
      <ul className={classes.events} aria-label={text.label}>
        {ofDay.map((event) => (
          <AuditRow
            key={event.id}
            event={event}
            isOpen={opened.has(event.id)}
            isCurrent={event.id === current}
            withAccount={withAccount}
            onToggle={toggle}
            onFilter={onFilter}
          />
        ))}
      </ul>
    </section>
  ));
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id]);
}

function Loading() {
  return Array.from({ length: SKELETON_ROWS }, (_, index) => (
    <div key={index} className={classes.loading}>
      <Skeleton height={12} width={`${45 + ((index * 17) % 40)}%`} />
    </div>
  ));
}

function None({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) return <Empty title={text.empty} text={text.emptyText} />;
  const clear = (
    <Button variant="default" onClick={onClear}>
      {text.clear}
    </Button>
  );
  return <Empty title={text.noMatch} text={text.noMatchText} action={clear} />;
}
