import { create } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { AuditActorKind, AuditOutcome } from '@warren/proto/audit/v1/audit';
import { ApiTokenSchema, Role, UserCallerSchema } from '@warren/proto/common/v1/common';
import { followingId, timeOfId } from '../events/event.id.ts';
import type { EventData } from '../events/event.ts';
import { serviceCaller, userCaller } from '../rpc/caller.ts';
import { auditEvent, type Audited } from './audit.event.ts';

const ada = create(UserCallerSchema, {
  userId: 'u1',
  name: 'Ada',
  email: 'ada@a.example',
  accountId: 'a1',
  role: Role.ADMIN,
});
const caller = userCaller(ada, 'request-1', { address: '192.0.2.7', userAgent: 'Firefox' });
const renamed: Audited = {
  action: 'device.rename',
  accountId: 'a1',
  target: { kind: 'device', id: 'd1', name: 'pump-7' },
  before: { name: 'pump-6', notes: null, port: 80 },
  after: { name: 'pump-7', port: 80 },
};
const valueOf = ({ kind }: ReturnType<typeof auditEvent>) => kind.value as EventData<'audit'>;

describe('an audit event', () => {
  it('has who, what, where from, and the fields that differ', () => {
    const event = auditEvent(caller, renamed);
    expect(event).toMatchObject({ accountId: 'a1', actor: 'u1', kind: { case: 'audit' } });
    expect(event.time && timestampMs(event.time)).toBe(timeOfId(event.id));
    expect(valueOf(event)).toMatchObject({
      action: 'device.rename',
      actor: { kind: AuditActorKind.USER, id: 'u1', name: 'Ada', email: 'ada@a.example', accountId: 'a1' },
      target: { kind: 'device', id: 'd1', name: 'pump-7' },
      outcome: AuditOutcome.SUCCESS,
      origin: { address: '192.0.2.7', userAgent: 'Firefox' },
      requestId: 'request-1',
      changes: [{ field: 'name', before: '"pump-6"', after: '"pump-7"', hidden: false }],
    });
  });

  it('of an API token names the token, and the person for whom it acts', () => {
    const token = create(ApiTokenSchema, { id: 't1', name: 'Nightly' });
    const { actor } = valueOf(auditEvent(userCaller({ ...ada, token }), renamed));
    expect(actor).toMatchObject({
      kind: AuditActorKind.TOKEN,
      id: 't1',
      name: 'Nightly',
      email: 'ada@a.example',
      onBehalfOf: 'u1',
    });
  });

  it('of a service account names it with its token, and nobody else', () => {
    const token = create(ApiTokenSchema, { id: 't1', name: 'Nightly' });
    const program = { ...ada, name: 'CI runner', serviceAccount: true };
    const { actor } = valueOf(auditEvent(userCaller({ ...program, token }), renamed));
    expect(actor).toMatchObject({ kind: AuditActorKind.SERVICE_ACCOUNT, id: 'u1', name: 'CI runner (Nightly)' });
    expect(actor?.email).toBe('');
    expect(actor?.onBehalfOf ?? '').toBe('');
  });

  it('never has secrets, whether they are declared or only named so', () => {
    const before = { url: 'https://hook/1', clientSecret: 'a' };
    const after = { url: 'https://hook/2', clientSecret: 'b', password: 'c' };
    const { changes } = valueOf(auditEvent(caller, { ...renamed, before, after, secrets: ['url'] }));
    expect(changes.map(({ field, hidden }) => [field, hidden])).toEqual([
      ['url', true],
      ['clientSecret', true],
      ['password', true],
    ]);
    expect(JSON.stringify(changes)).not.toMatch(/hook|"[abc]"/);
  });

  it('is bounded, and stays JSON without control characters', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, at]));
    expect(valueOf(auditEvent(caller, { ...renamed, after: many })).changes).toHaveLength(64);
    const after = { name: `\u0000\u001b[31m${'x'.repeat(5_000)}` };
    const [change] = valueOf(auditEvent(caller, { ...renamed, before: {}, after })).changes;
    expect(JSON.parse(change?.after ?? '')).toMatch(/^" {2}\[31mx+…$/);
    expect(change?.after?.length).toBeLessThan(2_200);
    const { reason, details } = valueOf(
      auditEvent(caller, { ...renamed, reason: '\ud800\n'.repeat(500), details: { text: 'y'.repeat(4_000) } }),
    );
    expect(reason).toHaveLength(400);
    expect(reason).not.toMatch(/[\n\ud800]/);
    expect(details).toBe('');
  });

  it('that follows from another is the same each time, at its time', () => {
    const first = auditEvent(caller, renamed);
    const deleted: Audited = { action: 'device.delete', accountId: 'a1', target: { kind: 'device', id: 'd1' } };
    const [one, two] = [
      auditEvent(serviceCaller('devices'), { ...deleted, following: first }),
      auditEvent(serviceCaller('devices'), { ...deleted, following: first }),
    ];
    expect(one).toMatchObject({ id: two.id, time: first.time });
    const other = auditEvent(serviceCaller('devices'), {
      ...deleted,
      target: { kind: 'device', id: 'd2' },
      following: first,
    });
    expect(other.id).not.toBe(one.id);
    expect(timeOfId(one.id)).toBe(timeOfId(first.id));
    expect(one.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(valueOf(one).actor).toMatchObject({ kind: AuditActorKind.SYSTEM, id: 'devices' });
  });

  it('can follow only an event with a UUID', () => {
    expect(() => followingId('1', 'x')).toThrow('UUID');
  });
});
