import type { Recording } from '../lib/api/types.ts';
import { ACCOUNT } from './people.ts';

export const RECORDING = '019c0000-0000-7000-8000-0000000000a1';

/** A session of an hour that is over, changed as a test needs. */
export const recording = (change: Partial<Recording> = {}): Recording => ({
  id: RECORDING,
  account: { id: ACCOUNT, name: 'Northwind' },
  device: { id: '019c0000-0000-7000-8000-0000000000d1', name: 'Greenhouse' },
  kind: 'terminal',
  session: 's1',
  person: { id: 'u1', email: 'ada@example.org' },
  started: '2026-03-04T10:00:00.000Z',
  ended: '2026-03-04T11:00:00.000Z',
  durationMs: 3_600_000,
  bytes: 1_572_864,
  stored: 100_000,
  chunks: 12,
  gaps: 0,
  gapBytes: 0,
  exit: 0,
  reason: '',
  policy: 'best_effort',
  size: { cols: 80, rows: 24 },
  hold: null,
  signed: true,
  expires: '2026-06-02T11:00:00.000Z',
  searchable: 1_572_864,
  playable: true,
  ...change,
});
