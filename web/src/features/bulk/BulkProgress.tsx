import { Anchor, CloseButton, Text } from '@mantine/core';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { isRefusal } from '../../lib/api/errors.ts';
import type { BulkJob } from '../../lib/api/types.ts';
import { bulk as text } from '../../lib/messages/bulk.ts';
import { trackedJobs } from '../../lib/tracked-jobs.ts';
import classes from './BulkProgress.module.css';
import { countsOf, JobBar } from './JobBar.tsx';
import { useJob } from './useJob.ts';

/** Shows how far these jobs are, over every page, until the person dismisses them. */
export function BulkProgress({ ids }: { ids: readonly string[] }) {
  return (
    <section className={classes.root} aria-label={text.notice}>
      {ids.map((id) => (
        <Tracked key={id} id={id} />
      ))}
    </section>
  );
}

function Tracked({ id }: { id: string }) {
  const { data: job, error } = useJob(id);
  const gone = isRefusal(error);
  useEffect(() => {
    // Another person has signed in, or the job is no longer kept.
    if (gone) trackedJobs.remove(id);
  }, [gone, id]);
  return job ? <Notice job={job} /> : null;
}

function Notice({ job }: { job: BulkJob }) {
  const name = text.names[job.action];
  return (
    <article className={classes.job}>
      <div className={classes.head}>
        <Text size="sm" fw={600}>
          {text.job(name, job.counts.total)}
        </Text>
        {job.state === 'running' ? null : (
          <CloseButton size="sm" aria-label={text.dismiss(name)} onClick={() => trackedJobs.remove(job.id)} />
        )}
      </div>
      <JobBar job={job} />
      <div className={classes.foot}>
        <Text size="sm" c="dimmed" role="status">
          {job.state === 'running' ? countsOf(job) : `${text.states[job.state]}: ${countsOf(job)}`}
        </Text>
        <Anchor component={Link} to={`/jobs?job=${job.id}`} size="sm">
          {text.details}
        </Anchor>
      </div>
    </article>
  );
}
