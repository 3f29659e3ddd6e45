import { Suspense, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { trackedJobs } from '../../lib/tracked-jobs.ts';
import { part } from '../../ui/part.tsx';

const BulkProgress = part(async () => (await import('../../features/bulk/BulkProgress.tsx')).BulkProgress);

/** The progress of bulk jobs that were started in this browser, on every page. */
export function BulkNotice() {
  const ids = useSyncExternalStore(trackedJobs.subscribe, trackedJobs.ids);
  // The page of jobs shows the same.
  const { pathname } = useLocation();
  if (ids.length === 0 || pathname === '/jobs') return null;
  return (
    <Suspense>
      <BulkProgress ids={ids} />
    </Suspense>
  );
}
