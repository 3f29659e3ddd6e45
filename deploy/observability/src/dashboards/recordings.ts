import type { Board } from '../dashboard.ts';
import { quantile, rate } from '../promql.ts';

export const recordings: Board = {
  uid: 'warren-recordings',
  title: 'Warren / Recordings',
  about: 'Recordings of sessions: what is stored, what fails, and how far searches are behind.',
  panels: [
    {
      title: 'Store of recordings',
      about: '1 while the store does not answer, or has another marker than the database knows.',
      unit: 'short',
      stat: true,
      lines: [{ expr: 'max(warren_recording_store_failing)', legend: 'failing' }],
    },
    {
      title: 'Free space',
      about: 'Of the folder of recordings. A bucket does not say.',
      unit: 'percentunit',
      lines: [
        {
          expr: 'min(warren_recording_store_free_bytes / warren_recording_store_total_bytes)',
          legend: 'free',
          emptyWhen: 'recordings are in a bucket',
        },
      ],
    },
    {
      title: 'Broken recordings',
      about: 'In which the last verification found a missing, changed or swapped chunk.',
      unit: 'short',
      stat: true,
      lines: [{ expr: 'max(warren_recordings_failed)', legend: 'recordings' }],
    },
    {
      title: 'Recorded output',
      about: 'Raw, and what it takes in the store.',
      unit: 'Bps',
      lines: [{ expr: rate('warren_recording_bytes_total', 'as'), legend: '{{as}}' }],
    },
    {
      title: 'Recorded sessions',
      about: 'Terminals and desktops that are to be recorded, and those that a recorder has claimed.',
      unit: 'short',
      lines: [
        { expr: 'sum by (kind) (warren_tunnels_recorded_sessions)', legend: 'to record, {{kind}}' },
        { expr: 'sum(warren_audit_recordings_followed)', legend: 'claimed' },
      ],
    },
    {
      title: 'Output that waits',
      about: 'Received by recorders and not stored yet.',
      unit: 'bytes',
      lines: [{ expr: 'sum(warren_audit_recordings_unstored_bytes)', legend: 'bytes' }],
    },
    {
      title: 'Interruptions',
      about: 'Streams from sessions to recorders that broke off, by reason. Recorders open them again.',
      unit: 'short',
      lines: [{ expr: rate('warren_audit_recordings_interrupted_total', 'reason'), legend: '{{reason}}' }],
    },
    {
      title: 'Chunks',
      about: 'Stored, and not stored by reason. The recorder tries most of them again.',
      unit: 'short',
      lines: [
        { expr: 'sum(rate(warren_recording_chunks_stored_total[$__rate_interval]))', legend: 'stored' },
        { expr: rate('warren_recording_chunk_failures_total', 'reason'), legend: '{{reason}}' },
      ],
    },
    {
      title: 'Gaps',
      about: 'Places of recordings where output is missing.',
      unit: 'short',
      lines: [{ expr: 'sum(increase(warren_recording_gaps_total[$__rate_interval]))', legend: 'gaps' }],
    },
    {
      title: 'Operations of the store',
      about: 'Each second, by outcome.',
      unit: 'short',
      lines: [
        {
          expr: rate('warren_recording_store_operations_total', 'operation', 'outcome'),
          legend: '{{operation}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Time of the store',
      about: 'How long operations take.',
      unit: 's',
      lines: [
        {
          expr: quantile(0.95, 'warren_recording_store_seconds'),
          legend: 'p95',
          emptyWhen: 'nothing was stored or read lately',
        },
      ],
    },
    {
      title: 'Index of searches',
      about: 'Age of the oldest chunk whose text can not be found yet.',
      unit: 's',
      lines: [{ expr: 'max(warren_recording_index_lag_seconds)', legend: 'behind' }],
    },
    {
      title: 'Deleted recordings',
      about: 'By reason.',
      unit: 'short',
      lines: [
        { expr: 'sum by (reason) (increase(warren_recordings_deleted_total[$__rate_interval]))', legend: '{{reason}}' },
      ],
    },
    {
      title: 'Accounts nearly full',
      about: 'Whose recordings take 90 % or more of their quota, and are refused beyond it.',
      unit: 'short',
      lines: [{ expr: 'max(warren_recording_accounts_nearly_full)', legend: 'accounts' }],
    },
  ],
};
