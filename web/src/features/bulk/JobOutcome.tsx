import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { ALL } from '../../lib/access.ts';
import { bulkApi } from '../../lib/api/bulk.ts';
import type { BulkJobDetail } from '../../lib/api/types.ts';
import { devicesPath } from '../../lib/client.ts';
import { bulk } from '../../lib/messages/bulk.ts';
import { number } from '../../lib/numbers.ts';
import { useSession } from '../../lib/session.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import { Failure } from '../../ui/Failure.tsx';
import { When } from '../../ui/When.tsx';
import classes from './BulkJobsPage.module.css';
import { countsOf, JobBar } from './JobBar.tsx';
import { useJob } from './useJob.ts';

const text = bulk.page;

/** What became of a job: how far it is, and which devices failed and why. */
export function JobOutcome({ id }: { id: string }) {
  const { data: job, error, refetch } = useJob(id);
  if (error && !job) return <Failure title={text.jobFailed} error={error} retry={refetch} />;
  if (!job) return null;
  const name = bulk.job(bulk.names[job.action], job.counts.total);
  return (
    <section className={classes.outcome} aria-label={name}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={2} size="h4">
          {name}
        </Title>
        {job.state === 'running' ? <CancelButton id={id} /> : null}
      </Group>
      <Text size="sm" c="dimmed">
        {about(job).join(' · ')} · <When at={job.created} />
      </Text>
      <div className={classes.bar}>
        <JobBar job={job} size={8} />
      </div>
      <Text size="sm" role="status">
        {bulk.states[job.state]}: {countsOf(job)}
      </Text>
      <Failures job={job} />
    </section>
  );
}

function about(job: BulkJobDetail): string[] {
  return [
    text.startedBy(job.started_by),
    ...(job.filter === null ? [] : [text.filter(job.filter, job.filter_account)]),
    ...(job.target ? [text.to(job.target.name)] : []),
    ...(job.cancelled_by ? [text.cancelledBy(job.cancelled_by)] : []),
  ];
}

function CancelButton({ id }: { id: string }) {
  const [cancel, { isLoading }] = bulkApi.useCancelBulkJobMutation();
  const act = () =>
    void cancel({ id })
      .unwrap()
      .then(
        () => succeeded(bulk.cancelled, bulk.cancelledDetail),
        (error: unknown) => failed(error),
      );
  return (
    <Button size="xs" variant="default" loading={isLoading} onClick={act}>
      {bulk.cancel}
    </Button>
  );
}

/** Failures by reason, and a way to select their devices in the list. */
function Failures({ job }: { job: BulkJobDetail }) {
  const navigate = useNavigate();
  const list = devicesPath(useSession(), ALL);
  const devices = job.failures.flatMap((failure) => failure.devices).filter(({ name }) => name !== '');
  if (job.counts.failed === 0) return null;
  return (
    <section aria-label={text.failures} className={classes.failures}>
      <Group justify="space-between" gap="sm">
        <Title order={3} size="h5">
          {text.failures}
        </Title>
        {devices.length > 0 && job.action !== 'delete' ? (
          <Button size="xs" variant="light" onClick={() => void navigate(list, { state: { select: devices } })}>
            {text.select(devices.length)}
          </Button>
        ) : null}
      </Group>
      {job.failures.map(({ code, reason, count, devices: failures }) => (
        <div key={`${code} ${reason}`} className={classes.failure}>
          <Text size="sm" fw={600}>
            {reason} <span className={classes.count}>{number(count)}</span>
          </Text>
          <ul className={classes.devices}>
            {failures.map((device) => (
              <li key={device.id}>
                {device.name === '' ? (
                  <Text size="sm" c="dimmed" title={device.id}>
                    {text.unnamed}
                  </Text>
                ) : (
                  <Anchor component={Link} to={`${list}?device=${device.id}`} size="sm">
                    {device.name}
                  </Anchor>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
