import { useEffect, useState } from 'react';
import { bulkApi, PROGRESS_MS } from '../../lib/api/bulk.ts';
import type { BulkJob } from '../../lib/api/types.ts';

/** Whether something of a job still changes: devices in progress are finished after it was cancelled. */
const isBusy = ({ state, counts }: BulkJob): boolean => state === 'running' || counts.running > 0;

/** A job with its failures, read again while it is busy. */
export function useJob(id: string) {
  const [over, setOver] = useState(false);
  const query = bulkApi.useGetBulkJobQuery({ id }, { pollingInterval: over ? 0 : PROGRESS_MS });
  const { data } = query;
  useEffect(() => setOver(data !== undefined && !isBusy(data)), [data]);
  return query;
}

/** The person's jobs, read again while one of them is busy. */
export function useJobs() {
  const [over, setOver] = useState(false);
  const query = bulkApi.useListBulkJobsQuery(undefined, { pollingInterval: over ? 0 : PROGRESS_MS });
  const { data } = query;
  useEffect(() => setOver(data !== undefined && !data.jobs.some(isBusy)), [data]);
  return query;
}
