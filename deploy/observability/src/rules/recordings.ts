import { INSTALLATION, type Alert, type Group } from './rule.ts';

const max = (series: string) => `max by (${INSTALLATION}) (${series})`;
const increase = (counter: string) => `sum by (${INSTALLATION}) (increase(${counter}[15m]))`;

const FREE = 'warren_recording_store_free_bytes / warren_recording_store_total_bytes';

const sum = (series: string) => `sum by (${INSTALLATION}) (${series})`;

const recordings: Alert[] = [
  {
    name: 'WarrenRecorderMissing',
    expr: `${sum('warren_tunnels_recorded_sessions')} - ${sum('warren_audit_recordings_followed')} > 0`,
    lasts: '2m',
    severity: 'critical',
    summary:
      '{{ $value }} sessions that are to be recorded have no recorder: output waits, or is missing in recordings.',
  },
  {
    name: 'WarrenRecordingStoreFailing',
    expr: `${max('warren_recording_store_failing')} > 0`,
    lasts: '2m',
    severity: 'critical',
    summary: 'The store of recordings does not answer: sessions with required recording wait, others get gaps.',
  },
  {
    name: 'WarrenRecordingStoreNearlyFull',
    expr: `min by (${INSTALLATION}) (${FREE}) < 0.1`,
    lasts: '10m',
    severity: 'warning',
    summary: 'The disk of recordings has {{ $value | humanizePercentage }} left.',
  },
  {
    name: 'WarrenRecordingsRefused',
    expr: `${max('warren_recording_accounts_nearly_full')} > 0 or ${increase('warren_recording_chunk_failures_total{reason="full"}')} > 0`,
    lasts: '5m',
    severity: 'warning',
    summary: 'Recordings of an account have reached 90 % of its quota, or are refused beyond it.',
  },
  {
    name: 'WarrenRecordingChunksFail',
    expr: `${increase('warren_recording_chunk_failures_total{reason=~"store|other"}')} > 10`,
    lasts: '5m',
    severity: 'warning',
    summary: '{{ $value | humanize }} chunks of recordings could not be stored within 15 minutes.',
  },
  {
    name: 'WarrenRecordingGaps',
    expr: `${increase('warren_recording_gaps_total')} > 0`,
    lasts: '0m',
    severity: 'warning',
    summary: 'Recordings got {{ $value | humanize }} gaps in the last 15 minutes.',
  },
  {
    name: 'WarrenRecordingsBroken',
    expr: `${max('warren_recordings_failed')} > 0`,
    lasts: '0m',
    severity: 'critical',
    summary: '{{ $value }} recordings were changed in their store, or have lost a part.',
  },
  {
    name: 'WarrenRecordingIndexBehind',
    expr: `${max('warren_recording_index_lag_seconds')} > 900`,
    lasts: '10m',
    severity: 'warning',
    summary: 'Searches do not find what terminals showed in the last {{ $value | humanizeDuration }}.',
  },
];

export const recordingGroups: Group[] = [{ name: 'warren-recordings', rules: recordings }];
