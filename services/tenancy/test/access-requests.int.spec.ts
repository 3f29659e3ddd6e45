import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { until } from '@warren/infra/until';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { ApiTokenSchema, DevicePermission, Role } from '@warren/proto/common/v1/common';
import { AccessRequestState, AccessRulesSchema } from '@warren/proto/tenancy/v1/requests';
import { ACCESS_REQUEST_LIMITS } from '@warren/rules/access-requests';
import { v7 as uuidv7 } from 'uuid';
import { MembersService } from '../src/members/members.service.ts';
import { DecisionsService } from '../src/requests/decisions.service.ts';
import { RequestExpiry } from '../src/requests/request.expiry.ts';
import { AccessRequestsService } from '../src/requests/requests.service.ts';
import { AccessRulesService } from '../src/requests/rules.service.ts';
import { accessRequestsOldest } from '../src/telemetry/metrics.ts';
import { InvitationWorld } from './invitation.world.ts';
import { requestPeople, type Person } from './request.people.ts';

const { TERMINAL } = DevicePermission;
const MINUTE = 60_000;
const { APPROVED, DENIED, EXPIRED, OPEN, WITHDRAWN } = AccessRequestState;

describe('access requests', () => {
  const world = new InvitationWorld();
  let rules: AccessRulesService;
  let requests: AccessRequestsService;
  let decisions: DecisionsService;
  let member: Person;
  let owner: Person;
  let admin: Person;
  let crew: string;

  const { people, groupOf, added, as } = requestPeople(world);
  const setRules = (change: object = {}, caller = as(owner)) => {
    const recentSignIn = { minutes: 15, terminals: false, manage: false, grants: false };
    const init = { requests: true, longestMinutes: 480, approverGroupId: '', secondApprover: false, recentSignIn };
    return rules.set(caller, { accountId: world.acme, rules: create(AccessRulesSchema, { ...init, ...change }) });
  };
  const ask = async (by = member, change: object = {}) => {
    const about = { filter: 'site=north', deviceId: '', deviceName: '', permissions: [TERMINAL] };
    const wanted = { accountId: world.acme, ...about, reason: 'The pump stops', minutes: 60, ...change };
    return (await requests.create(as(by), wanted)).request?.id ?? '';
  };
  const decide = async (by: Caller, id: string, change: object = {}) =>
    (await decisions.decide(by, { accountId: world.acme, id, approve: true, minutes: 0, note: '', ...change })).request;
  const list = (by: Person, open = true) => requests.list(as(by), { accountId: world.acme, open });
  const grantRows = () =>
    world.source.query<{ id: string; source: string; expires: Date; filter: string }[]>('SELECT * FROM grants');
  const audited = (id: string) =>
    world.heard.flatMap(({ kind }) => (kind.case === 'audit' && kind.value.target?.id === id ? [kind.value] : []));
  const actionsOn = (id: string) => audited(id).map(({ action }) => action);

  beforeAll(async () => {
    await world.start();
    rules = world.app.get(AccessRulesService);
    requests = world.app.get(AccessRequestsService);
    decisions = world.app.get(DecisionsService);
    member = await people('member@acme.test', Role.MEMBER);
    owner = await people('owner@acme.test', Role.OWNER);
    admin = await added('admin@acme.test', 'Admins', Role.ADMIN);
    crew = await groupOf('Developers');
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    for (const table of ['access_requests', 'grants', 'access_rules']) await world.source.query(`DELETE FROM ${table}`);
    await world.source.query(`UPDATE users SET status = 'Active' WHERE account_id = $1`, [world.acme]);
    await setRules();
    world.calm();
    world.mail.received.length = 0;
  });

  it('are off until an account allows them, and members see that', async () => {
    await setRules({ requests: false });
    await expect(ask()).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining('takes no'),
    });
    const resolved = () =>
      world.app.get(MembersService).resolve(serviceCaller('gateway'), { email: member.email, name: '' });
    expect(await resolved()).toMatchObject({ accessRequests: false, recentSignIn: { minutes: 15, terminals: false } });
    await setRules({ recentSignIn: { minutes: 30, terminals: true, manage: false, grants: true } });
    expect(await resolved()).toMatchObject({
      accessRequests: true,
      recentSignIn: { minutes: 30, terminals: true, manage: false, grants: true },
    });
    const heard = (name: string) => world.heard.filter(({ kind }) => kind.case === name).length;
    await until(() => heard('accessChanged') >= 2 && heard('accountChanged') >= 2);
  });

  it('become a grant that ends by itself, with mails and audit events', async () => {
    const id = await ask();
    await until(() => world.mail.to(owner.email).length === 1 && world.mail.to(admin.email).length === 1);
    expect(world.mail.to(owner.email)[0]?.source).toContain('The pump stops');
    expect(world.mail.to(member.email)).toEqual([]);
    expect(await list(owner)).toMatchObject({
      total: 1,
      toDecide: 1,
      requests: [{ id, decidable: true, state: OPEN }],
    });
    expect(await list(member)).toMatchObject({ total: 1, toDecide: 0, requests: [{ id, decidable: false }] });
    const before = Date.now();
    const decided = await decide(as(owner), id, { minutes: 30, note: 'Half an hour will do' });
    expect(decided).toMatchObject({
      state: APPROVED,
      decisions: [{ approved: true, minutes: 30, note: 'Half an hour will do' }],
    });
    const [grant] = await grantRows();
    expect(grant).toMatchObject({
      source: 'request',
      filter: 'site=north',
      permissions: ['view', 'terminal'],
      user_id: member.id,
    });
    expect(grant?.expires.getTime()).toBeGreaterThanOrEqual(before + 30 * MINUTE - 1_000);
    expect(grant?.expires.getTime()).toBeLessThanOrEqual(Date.now() + 30 * MINUTE);
    await until(() => world.mail.to(member.email).length === 1);
    await until(() => actionsOn(id).length === 2 && actionsOn(grant?.id ?? '').length === 1);
    expect(actionsOn(id)).toEqual(['access_request.create', 'access_request.approve']);
    expect(audited(id)[1]).toMatchObject({ grantId: grant?.id, reason: 'Half an hour will do' });
    const ofRequest = () =>
      world.heard.filter(({ kind }) => kind.case === 'accessRequestChanged' && kind.value.requestId === id);
    await until(() => ofRequest().length === 2 && world.heard.some(({ kind }) => kind.case === 'accessChanged'));
    await expect(decide(as(admin), id)).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining(`approved by ${owner.email}`),
    });
  });

  it('are denied with a note, and withdrawn by the requester alone', async () => {
    const denied = await ask();
    expect(await decide(as(admin), denied, { approve: false, note: 'No' })).toMatchObject({ state: DENIED });
    const id = await ask();
    const of = { accountId: world.acme, id };
    await expect(requests.withdraw(as(owner), of)).rejects.toMatchObject({ code: 'not_found' });
    expect((await requests.withdraw(as(member), of)).request).toMatchObject({ state: WITHDRAWN });
    await expect(requests.withdraw(as(member), of)).rejects.toMatchObject({ code: 'failed_precondition' });
    await expect(decide(as(owner), id)).rejects.toMatchObject({ code: 'failed_precondition' });
    expect(await grantRows()).toEqual([]);
    await until(() => actionsOn(denied).length === 2 && actionsOn(id).length === 2);
    expect([actionsOn(denied)[1], actionsOn(id)[1]]).toEqual(['access_request.deny', 'access_request.withdraw']);
  });

  it('expire unless somebody decides', async () => {
    const id = await ask();
    await world.source.query(`UPDATE access_requests SET created = now() - interval '5 hours' WHERE state = 'open'`);
    await world.app.get(RequestExpiry).sweep();
    const oldest = async () => (await accessRequestsOldest.get()).values[0]?.value ?? 0;
    expect(await oldest()).toBeGreaterThanOrEqual(5 * 3_600);
    await world.source.query(`UPDATE access_requests SET expires = now() - interval '1 second'`);
    await expect(decide(as(owner), id)).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining('expired'),
    });
    await world.app.get(RequestExpiry).sweep();
    expect(await list(member, false)).toMatchObject({ requests: [{ id, state: EXPIRED }] });
    await until(() => actionsOn(id).includes('access_request.expire') && world.mail.to(member.email).length > 0);
  });

  it('are decided once, by whichever of two approvers comes first', async () => {
    const id = await ask();
    const both = await Promise.allSettled([decide(as(owner), id), decide(as(admin), id)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'failed_precondition' } });
    expect(await grantRows()).toHaveLength(1);
  });

  it('need two people where the account says so, who still are approvers', async () => {
    await setRules({ secondApprover: true });
    const id = await ask();
    expect(await decide(as(owner), id, { minutes: 45 })).toMatchObject({ state: OPEN, approvalsNeeded: 2 });
    await expect(decide(as(owner), id)).rejects.toMatchObject({ code: 'failed_precondition' });
    expect(await list(owner)).toMatchObject({ toDecide: 0, requests: [{ decidable: false }] });
    expect(await grantRows()).toEqual([]);
    // The first approval counts no more.
    await world.source.query(`UPDATE users SET status = 'Inactive' WHERE id = $1`, [owner.id]);
    expect(await decide(as(admin), id)).toMatchObject({ state: OPEN });
    expect(await grantRows()).toEqual([]);
    await world.source.query(`UPDATE users SET status = 'Active' WHERE id = $1`, [owner.id]);
    const third = await added('third@acme.test', 'Admins', Role.ADMIN);
    expect(await decide(as(third), id)).toMatchObject({ state: APPROVED, decisions: [{}, {}, {}] });
    const [grant] = await grantRows();
    expect((grant?.expires.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(45 * MINUTE);
    await world.source.query('DELETE FROM users WHERE id = $1', [third.id]);
  });

  it('are decided by a group where the account names one', async () => {
    const digger = await added('digger@acme.test', 'Developers', Role.MEMBER);
    await setRules({ approverGroupId: crew });
    const id = await ask();
    await expect(decide(as(owner), id)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await list(digger)).toMatchObject({ toDecide: 1, requests: [{ id }] });
    expect(await decide(as(digger), id)).toMatchObject({ state: APPROVED });
    const own = await ask(digger);
    await expect(decide(as(digger), own)).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('somebody else'),
    });
    await world.source.query('DELETE FROM users WHERE id = $1', [digger.id]);
  });

  it.each<[string, number | undefined, object, string]>([
    ['an old sign-in', 16, {}, 'recent_sign_in_required'],
    ['a session without a time', undefined, {}, 'recent_sign_in_required'],
    [
      'an API token',
      undefined,
      { token: create(ApiTokenSchema, { permissions: ['requests.decide'] }) },
      'recent_sign_in_required',
    ],
  ])('are not decided by %s', async (_what, ago, more, code) => {
    const id = await ask();
    const caller = as(owner, ago, more);
    if (ago === undefined && caller.kind.case === 'user') delete caller.kind.value.authTime;
    await expect(decide(caller, id)).rejects.toMatchObject({ code });
    expect(await grantRows()).toEqual([]);
  });

  it('are held against what people are at the decision', async () => {
    const id = await ask();
    await world.source.query(`UPDATE users SET status = 'Inactive' WHERE id = $1`, [member.id]);
    await expect(decide(as(owner), id)).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining('no active user'),
    });
    await world.source.query(`UPDATE users SET status = 'Active' WHERE id = $1`, [member.id]);
    // The gateway still takes this person for an admin.
    await world.source.query('UPDATE users SET group_id = $2 WHERE id = $1', [admin.id, await groupOf('Members')]);
    await expect(decide(as(admin), id)).rejects.toMatchObject({ code: 'permission_denied' });
    await world.source.query('UPDATE users SET group_id = $2 WHERE id = $1', [admin.id, await groupOf('Admins')]);
    await setRules({ longestMinutes: 30 });
    await expect(decide(as(owner), id)).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ field: 'minutes' }],
    });
    expect(await decide(as(owner), id, { minutes: 30 })).toMatchObject({ state: APPROVED });
  });

  it.each<[string, object, string]>([
    ['permissions', { permissions: [] }, 'at least one permission'],
    ['filter', { filter: 'cpu>50' }, 'can’t select by cpu'],
    ['reason', { reason: ' ' }, 'expected a reason'],
    ['reason', { reason: 'x'.repeat(501) }, 'at most 500 characters'],
    ['minutes', { minutes: 14 }, 'expected 15 to 10080 minutes'],
    ['minutes', { minutes: 481 }, 'expected at most 480 minutes'],
  ])('are refused for wrong %s: %o', async (field, change, message) => {
    const problems = [{ field, message: expect.stringContaining(message) }];
    await expect(ask(member, change)).rejects.toMatchObject({ code: 'invalid_argument', problems });
  });

  it('are bounded for each person', async () => {
    for (let count = 0; count < ACCESS_REQUEST_LIMITS.openPerPerson; count++) await ask();
    await expect(ask()).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining('withdraw one'),
    });
    await ask(admin);
    await world.source.query(`UPDATE access_requests SET state = 'withdrawn', ended = now()`);
    const sql = `INSERT INTO access_requests SELECT gen_random_uuid(), account_id, user_id, permissions, filter, device_id, device_name,
      reason, minutes, approvals_needed, state, created, expires, ended FROM access_requests WHERE user_id = $1`;
    for (const _round of [1, 2]) await world.source.query(sql, [member.id]);
    await expect(ask()).rejects.toMatchObject({ code: 'resource_exhausted' });
  });

  it("are not another account's", async () => {
    const id = await ask();
    const [zoe] = await world.source.query<{ id: string }[]>(`SELECT id FROM users WHERE email = 'owner@zebra.test'`);
    const other = as({ id: zoe?.id ?? '', email: 'owner@zebra.test', role: Role.OWNER }, 1, { accountId: world.zebra });
    const gone = { code: 'not_found' };
    await expect(decide(other, id)).rejects.toMatchObject(gone);
    await expect(requests.list(other, { accountId: world.acme, open: true })).rejects.toMatchObject(gone);
    await expect(requests.withdraw(other, { accountId: world.zebra, id })).rejects.toMatchObject(gone);
    const there = { accountId: world.zebra, id, approve: true, minutes: 0, note: '' };
    await expect(decisions.decide(other, there)).rejects.toMatchObject(gone);
    await expect(setRules({}, other)).rejects.toMatchObject(gone);
    await expect(setRules({}, as(member))).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(setRules({ approverGroupId: uuidv7() })).rejects.toMatchObject({
      problems: [{ field: 'approver_group' }],
    });
  });
});
