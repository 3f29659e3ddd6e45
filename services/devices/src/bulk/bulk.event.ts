import { newEvent, type Event } from '@warren/platform/events/event';
import type { BulkCounts, BulkJobRow } from './bulk.row.ts';

/** The event for a job that started, was cancelled or finished: of the account of the person who started it. */
export function bulkJobChanged(
  job: Pick<BulkJobRow, 'id' | 'account_id' | 'user_email' | 'action'>,
  counts: BulkCounts,
  { what, actor, by = job.user_email }: { what: string; actor: string; by?: string },
): Event {
  const { done, failed } = counts;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const change = `${job.action} of ${total} devices ${what}, ${done} done, ${failed} failed`;
  return newEvent({
    accountId: job.account_id,
    actor,
    kind: { case: 'bulkJobChanged', value: { jobId: job.id, by, change } },
  });
}
