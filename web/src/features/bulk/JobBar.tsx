import { Progress } from '@mantine/core';
import { bulk as text } from '../../lib/messages/bulk.ts';
import type { BulkJob } from '../../lib/api/types.ts';

/** How far a job is: done, failed, and what is left. */
export function JobBar({ job: { action, counts }, size = 6 }: { job: BulkJob; size?: number }) {
  const { total, done, failed } = counts;
  const share = (count: number) => (total === 0 ? 0 : (count / total) * 100);
  return (
    <Progress.Root role="group" size={size} radius="xl" aria-label={text.progress(text.names[action])}>
      <Progress.Section value={share(done)} color="var(--accent)" aria-label={text.counts.done(done)} />
      <Progress.Section value={share(failed)} color="var(--state-bad)" aria-label={text.counts.failed(failed)} />
    </Progress.Root>
  );
}

/** The counts in words: what is done and failed, and what is left. */
export function countsOf({ counts: { done, failed, waiting, running, cancelled } }: BulkJob): string {
  return [
    text.counts.done(done),
    ...(failed > 0 ? [text.counts.failed(failed)] : []),
    ...(waiting + running > 0 ? [text.counts.waiting(waiting + running)] : []),
    ...(cancelled > 0 ? [text.counts.cancelled(cancelled)] : []),
  ].join(', ');
}
