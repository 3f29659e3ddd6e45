import { listOf } from './api.ts';
import { bulkApi as generated } from './generated/bulk.ts';

/** How often the progress of a running job is read. */
export const PROGRESS_MS = 2_000;

/** Actions on many devices, loaded with the screens that use them. */
export const bulkApi = generated.enhanceEndpoints({
  endpoints: {
    listBulkJobs: { providesTags: ['BulkJob'] },
    getBulkJob: { providesTags: ['BulkJob'] },
    startBulkJob: { invalidatesTags: ['BulkJob', ...listOf('Device')] },
    cancelBulkJob: { invalidatesTags: ['BulkJob'] },
  },
});
