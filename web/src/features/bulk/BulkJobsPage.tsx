import { Anchor, Text } from '@mantine/core';
import { Link, useSearchParams } from 'react-router';
import { ALL } from '../../lib/access.ts';
import type { BulkJob } from '../../lib/api/types.ts';
import { devicesPath } from '../../lib/client.ts';
import { bulk } from '../../lib/messages/bulk.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { Page } from '../../ui/Page.tsx';
import { Trail } from '../../ui/Trail.tsx';
import { When } from '../../ui/When.tsx';
import classes from './BulkJobsPage.module.css';
import { countsOf, JobBar } from './JobBar.tsx';
import { JobOutcome } from './JobOutcome.tsx';
import { useJobs } from './useJob.ts';

const text = bulk.page;
/** Newest first, always. */
const UNSORTED = { sort: '', order: 'asc' } as const;
const keyOf = (job: BulkJob) => job.id;

/** The person's bulk jobs, and the outcome of one: the one in the address, or else the newest. */
export function BulkJobsPage() {
  const [query, setQuery] = useSearchParams();
  const list = devicesPath(useSession(), ALL);
  const { data, error, refetch } = useJobs();
  const shown = query.get('job') ?? data?.jobs[0]?.id;
  const open = (id: string) => setQuery({ job: id });
  return (
    <Page
      title={bulk.title}
      trail={
        <Trail
          steps={[
            { label: messages.nav.home, to: '/' },
            { label: text.devices, to: list },
          ]}
        />
      }
    >
      {shown === undefined ? null : <JobOutcome key={shown} id={shown} />}
      {error && !data ? <Failure title={text.failed} error={error} retry={refetch} /> : null}
      {data?.jobs.length === 0 && shown === undefined ? (
        <Empty
          title={text.none}
          text={text.noneText}
          action={
            <Anchor component={Link} to={list}>
              {text.devices}
            </Anchor>
          }
        />
      ) : null}
      {data && data.jobs.length > 0 ? (
        <section aria-label={text.recent}>
          <Text component="h2" className={classes.heading}>
            {text.recent}
          </Text>
          <DataTable
            label={text.recent}
            columns={columns(open, shown)}
            rows={data.jobs}
            rowKey={keyOf}
            state={UNSORTED}
            onSort={open}
            empty={null}
          />
        </section>
      ) : null}
    </Page>
  );
}

function columns(open: (id: string) => void, shown: string | undefined): Column<BulkJob>[] {
  return [
    {
      id: 'action',
      label: text.action,
      render: (job) => (
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="start"
          aria-current={job.id === shown || undefined}
          onClick={() => open(job.id)}
        >
          {bulk.job(bulk.names[job.action], job.counts.total)}
        </Anchor>
      ),
    },
    { id: 'state', label: text.state, width: 110, wideOnly: true, render: (job) => bulk.states[job.state] },
    {
      id: 'result',
      label: text.result,
      render: (job) => (
        <>
          <JobBar job={job} size={4} />
          <Text size="xs" c="dimmed" mt={4}>
            {countsOf(job)}
          </Text>
        </>
      ),
    },
    { id: 'started', label: text.started, width: 140, wideOnly: true, render: ({ created }) => <When at={created} /> },
  ];
}
