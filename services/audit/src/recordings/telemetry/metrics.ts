import { registry } from '@warren/platform/telemetry/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

const registers = [registry];

export const storeFailing = new Gauge({
  name: 'warren_recording_store_failing',
  help: '1 while the store of recordings does not answer, or has another marker than the database knows.',
  registers,
});

export const storeFreeBytes = new Gauge({
  name: 'warren_recording_store_free_bytes',
  help: 'Free space of the folder of recordings.',
  registers,
});

export const storeTotalBytes = new Gauge({
  name: 'warren_recording_store_total_bytes',
  help: 'Size of the file system of the folder of recordings.',
  registers,
});

export const storeOperations = new Counter({
  name: 'warren_recording_store_operations_total',
  help: 'Operations of the store of recordings, by operation and outcome.',
  labelNames: ['operation', 'outcome'] as const,
  registers,
});

export const storeSeconds = new Histogram({
  name: 'warren_recording_store_seconds',
  help: 'How long operations of the store of recordings take.',
  labelNames: ['operation'] as const,
  buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers,
});
for (const operation of ['put', 'get', 'remove']) {
  for (const outcome of ['success', 'failed']) storeOperations.inc({ operation, outcome }, 0);
  storeSeconds.zero({ operation });
}

export const chunksStored = new Counter({
  name: 'warren_recording_chunks_stored_total',
  help: 'Chunks of recordings that were stored.',
  registers,
});

export const chunkFailures = new Counter({
  name: 'warren_recording_chunk_failures_total',
  help: 'Chunks of recordings that could not be stored, by reason. The recorder tries most of them again.',
  labelNames: ['reason'] as const,
  registers,
});
for (const reason of ['store', 'full', 'claim', 'other']) chunkFailures.inc({ reason }, 0);

export const recordedBytes = new Counter({
  name: 'warren_recording_bytes_total',
  help: 'Output that was recorded, raw, and what it takes in the store.',
  labelNames: ['as'] as const,
  registers,
});
for (const as of ['raw', 'stored']) recordedBytes.inc({ as }, 0);

export const gapsRecorded = new Counter({
  name: 'warren_recording_gaps_total',
  help: 'Places of recordings where output is missing.',
  registers,
});

export const recordingsDropped = new Counter({
  name: 'warren_recordings_deleted_total',
  help: 'Recordings that were deleted, by reason.',
  labelNames: ['reason'] as const,
  registers,
});
for (const reason of ['age', 'quota', 'person', 'account']) recordingsDropped.inc({ reason }, 0);

export const recordingsFailed = new Gauge({
  name: 'warren_recordings_failed',
  help: 'Recordings in which the last verification found a missing, changed or swapped chunk; the same in each process.',
  registers,
});

export const indexLagSeconds = new Gauge({
  name: 'warren_recording_index_lag_seconds',
  help: 'Age of the oldest chunk whose text can not be searched yet; the same in each process.',
  registers,
});

export const fullAccounts = new Gauge({
  name: 'warren_recording_accounts_nearly_full',
  help: 'Accounts whose recordings take 90 % or more of their quota and are refused beyond it; the same in each process.',
  registers,
});
