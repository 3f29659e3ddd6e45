import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { AuditActorKind, AuditEntrySchema, AuditOutcome } from '@warren/proto/audit/v1/audit';
import { text } from 'node:stream/consumers';
import { csvOf } from '../http/csv.ts';
import { AUDIT_COLUMNS, auditRecord } from './audit.csv.ts';
import { auditEventJson } from './audit.mapper.ts';

const entry = (change: { name?: string; details?: string; before?: string } = {}) =>
  create(AuditEntrySchema, {
    id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
    time: timestampFromDate(new Date('2026-03-04T10:00:00Z')),
    accountId: 'a1',
    event: {
      action: 'device.rename',
      actor: { kind: AuditActorKind.USER, id: 'u1', name: change.name ?? 'Ada', email: 'ada@acme.test' },
      target: { kind: 'device', id: 'd1', name: 'Pump' },
      outcome: AuditOutcome.REFUSED,
      changes: [
        { field: 'name', before: change.before ?? '"Old"', after: '"New"' },
        { field: 'secret', hidden: true },
      ],
      details: change.details ?? '{"devices":3}',
    },
  });

describe('an event', () => {
  it('is JSON with the values that it was recorded with, and hides secrets', () => {
    expect(auditEventJson(entry(), 'Acme')).toMatchObject({
      time: '2026-03-04T10:00:00.000Z',
      account: { id: 'a1', name: 'Acme' },
      outcome: 'refused',
      changes: [
        { field: 'name', before: 'Old', after: 'New', hidden: false },
        { field: 'secret', hidden: true },
      ],
      details: { devices: 3 },
    });
  });

  it('of a later version is shown as it is', () => {
    const odd = auditEventJson(entry({ details: 'no JSON', before: 'nor this' }), '');
    expect([odd.details, odd.changes[0]?.before]).toEqual([{}, 'nor this']);
    expect(auditEventJson(create(AuditEntrySchema), '')).toMatchObject({ actor: { kind: 'unknown' }, target: null });
  });
});

describe('events as CSV', () => {
  it.each(['=1+1', '@SUM(A1)', '+1', '-1', '\t=1'])('hold no formula: %j', async (name) => {
    async function* records() {
      yield auditRecord(auditEventJson(entry({ name }), 'Lee, "Bo"'));
    }
    const [header, row = ''] = (await text(csvOf(AUDIT_COLUMNS, records()))).replace('\uFEFF', '').split('\r\n');
    expect(header).toMatch(/^Time,Account,Actor kind,Actor,/);
    expect(row).toMatch(/^2026-03-04T10:00:00\.000Z,"Lee, ""Bo""",user,"?'/);
    expect(row).toContain(`'${name}`);
    expect(row).toContain('[{""field"":""name"",""before"":""Old"",""after"":""New"",""hidden"":false}');
  });
});
