import { Button, Text } from '@mantine/core';
import { useCallback } from 'react';
import { Link, useNavigate } from 'react-router';
import { maySee } from '../../../lib/access.ts';
import type { Recording } from '../../../lib/api/types.ts';
import { recordingsApi } from '../../../lib/api/recordings.ts';
import { recordings as text } from '../../../lib/messages/recordings.ts';
import { messages } from '../../../lib/messages.ts';
import { useSession } from '../../../lib/session.ts';
import { DataTable } from '../../../ui/DataTable.tsx';
import { Failure } from '../../../ui/Failure.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Pages } from '../../../ui/Pages.tsx';
import { Trail } from '../../../ui/Trail.tsx';
import { momentPath } from '../times.ts';
import { recordingColumns } from './columns.tsx';
import { Hits } from './Hits.tsx';
import classes from './list.module.css';
import { NoRecordings } from './NoRecordings.tsx';
import { RecordingToolbar } from './RecordingToolbar.tsx';
import { useRecordingFilters } from './useRecordingFilters.ts';

const LIMIT = 50;
/** A session that begins or ends is no event for the console. */
const EVERY_MS = 10_000;
const ORDER = { sort: '', order: 'desc' } as const;
const unsorted = () => undefined;
const keyOf = ({ id }: Recording) => id;

/** The recorded sessions that a person may see, and what was on their screens. */
export function RecordingsPage() {
  const session = useSession();
  const control = useRecordingFilters();
  const { filters, views, asked, search, account, isAll, change } = control;
  const query = { ...asked.common, ...asked.list, limit: LIMIT, ...(filters.before && { before: filters.before }) };
  const list = recordingsApi.useListRecordingsQuery(views ? query : { ...query, own: 'true' }, {
    skip: search !== null,
    pollingInterval: filters.before ? 0 : EVERY_MS,
    skipPollingIfUnfocused: true,
  });
  const rows = list.currentData?.recordings;
  const isSettable = !isAll && maySee(session, 'recordings') && views;
  return (
    <Page
      title={text.title}
      trail={<Trail steps={[{ label: messages.nav.home, to: '/' }]} />}
      actions={
        isSettable ? (
          <Button component={Link} to={`/recording/${account}`} variant="default">
            {text.settings}
          </Button>
        ) : null
      }
    >
      {views ? null : <Text className={classes.lead}>{text.ownOnly}</Text>}
      <RecordingToolbar
        filters={filters}
        isSearch={search !== null}
        views={views}
        deviceName={rows?.find(({ device }) => device.id === filters.device)?.device.name}
        onChange={change}
      />
      {search === null ? <Sessions list={list} control={control} /> : <Hits search={search} control={control} />}
    </Page>
  );
}

interface SessionsProps {
  list: ReturnType<typeof recordingsApi.useListRecordingsQuery>;
  control: ReturnType<typeof useRecordingFilters>;
}

function Sessions({ list: { currentData, error, refetch }, control }: SessionsProps) {
  const navigate = useNavigate();
  const open = useCallback(({ id }: Recording) => void navigate(momentPath(id)), [navigate]);
  if (error && !currentData) return <Failure title={text.failed} error={error} retry={refetch} />;
  return (
    <>
      <DataTable
        label={text.label}
        columns={recordingColumns(control.isAll)}
        rows={currentData?.recordings}
        rowKey={keyOf}
        state={ORDER}
        onSort={unsorted}
        onOpen={open}
        empty={<NoRecordings control={control} />}
      />
      <Pages
        cursor={control.filters.before}
        next={currentData?.next ?? null}
        first={text.newest}
        more={text.older}
        onPage={(before) => control.page({ before })}
      />
    </>
  );
}
