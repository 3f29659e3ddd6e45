import type { AuditEvent } from '../lib/api/types.ts';
import { ACCOUNT } from './people.ts';

/** An audit event of the usual account, changed as a test needs. */
export const auditEvent = (change: Partial<AuditEvent> = {}): AuditEvent => ({
  id: '019c0000-0000-7000-8000-000000000005',
  time: '2026-03-04T10:00:05.000Z',
  account: { id: ACCOUNT, name: 'Northwind' },
  actor: { kind: 'user', id: 'u1', name: 'Ada Brown', email: 'ada@example.org' },
  action: 'device.rename',
  target: { kind: 'device', id: 'd1', name: 'Greenhouse' },
  outcome: 'success',
  reason: '',
  grant: '',
  address: '203.0.113.9',
  userAgent: 'Firefox',
  requestId: 'r1-request',
  changes: [{ field: 'name', before: 'rpi-1', after: 'Greenhouse', hidden: false }],
  details: {},
  ...change,
});
