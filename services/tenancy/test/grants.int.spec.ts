import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { until } from '@warren/infra/until';
import { requireUser, serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import {
  DevicePermission,
  PageRequestSchema,
  Role,
  UserCallerSchema,
  type AccessGrant,
} from '@warren/proto/common/v1/common';
import { GrantSubjectSchema, type GrantSubject } from '@warren/proto/tenancy/v1/access';
import { GRANT_LIMITS } from '@warren/rules/grants';
import { v7 as uuidv7 } from 'uuid';
import { AccessService } from '../src/access/access.service.ts';
import { GrantExpiry } from '../src/access/grant.expiry.ts';
import { GrantsService } from '../src/access/grants.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { user } from './callers.ts';
import { InvitationWorld } from './invitation.world.ts';

const { VIEW, TERMINAL, MANAGE } = DevicePermission;
const HOUR = 3_600_000;
const gateway = serviceCaller('gateway');
const everyone = create(GrantSubjectSchema, { kind: { case: 'everyone', value: true } });
const toGroup = (value: string) => create(GrantSubjectSchema, { kind: { case: 'groupId', value } });
const toUser = (value: string) => create(GrantSubjectSchema, { kind: { case: 'userId', value } });

describe('grants of accounts', () => {
  const world = new InvitationWorld();
  let grants: GrantsService;
  let access: AccessService;
  let member: string;
  let members: string;
  let operator: string;

  beforeAll(async () => {
    await world.start();
    grants = world.app.get(GrantsService);
    access = world.app.get(AccessService);
    const one = async (sql: string, values: unknown[] = []) =>
      ((await world.source.query<{ id: string }[]>(sql, values))[0] ?? { id: '' }).id;
    member = await one(`SELECT id FROM users WHERE email = 'member@acme.test'`);
    members = await one(`SELECT id FROM groups WHERE account_id = $1 AND name = 'Members'`, [world.acme]);
    operator = await one('SELECT id FROM accounts WHERE operator');
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    await world.source.query('DELETE FROM grants');
    await world.source.query('UPDATE accounts SET explicit_grants = false');
    world.calm();
  });

  const give = async (
    subject: GrantSubject,
    {
      permissions = [VIEW, TERMINAL],
      filter = 'site=north',
      expires,
      caller = world.owner,
    }: {
      permissions?: DevicePermission[];
      filter?: string;
      expires?: Date;
      caller?: Caller;
    } = {},
  ) => {
    const until = expires ? { expires: timestampFromDate(expires) } : {};
    const content = { permissions, filter, note: '', ...until };
    const { grant } = await grants.create(caller, { accountId: world.acme, subject, content });
    return grant.id ?? '';
  };
  const resolved = (email = 'member@acme.test') => world.app.get(MembersService).resolve(gateway, { email, name: '' });
  const explicit = (explicitGrants: boolean, caller = world.owner, accountId = world.acme) =>
    access.setMode(caller, { accountId, explicitGrants });
  const told = () => world.heard.filter(({ kind }) => kind.case === 'accessChanged').length;
  const audited = (id: string) =>
    world.heard.flatMap(({ kind }) => (kind.case === 'audit' && kind.value.target?.id === id ? [kind.value] : []));
  const actionsOn = (id: string) => audited(id).map(({ action, target }) => `${action} ${target?.name}`);

  it('are those of the user, of the group and of everyone, and go with the member', async () => {
    await explicit(true);
    const ids = [await give(everyone), await give(toGroup(members)), await give(toUser(member))];
    const { explicitGrants, grants: carried } = await resolved();
    expect(explicitGrants).toBe(true);
    expect(carried?.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(carried?.[0]).toMatchObject({ permissions: [VIEW, TERMINAL], filter: 'site=north' });
    await world.source.query(
      'UPDATE users SET group_id = (SELECT id FROM groups WHERE account_id = $1 AND name = $2) WHERE id = $3',
      [world.acme, 'Developers', member],
    );
    expect((await resolved()).grants?.length).toBe(2);
    await world.source.query('UPDATE users SET group_id = $1 WHERE id = $2', [members, member]);
  });

  it('are left out where they add nothing to the role', async () => {
    await give(everyone);
    const manage = await give(everyone, { permissions: [MANAGE] });
    expect((await resolved()).grants?.map(({ id }) => id)).toEqual([manage]);
    expect((await resolved('owner@acme.test')).grants?.map(({ id }) => id)).toEqual([manage]);
  });

  it('are listed, changed and withdrawn, which services hear', async () => {
    const id = await give(toGroup(members));
    const list = async () => (await access.get(world.owner, { accountId: world.acme })).grants ?? [];
    expect(await list()).toMatchObject([{ id, subject: { name: 'Members' }, createdBy: 'someone@example.com' }]);
    const content = { permissions: [VIEW], filter: 'site=south', note: 'moved' };
    await grants.update(world.owner, { accountId: world.acme, id, content });
    expect(await list()).toMatchObject([{ permissions: [VIEW], filter: 'site=south', note: 'moved' }]);
    await grants.delete(world.owner, { accountId: world.acme, id });
    expect(await list()).toEqual([]);
    await until(() => told() >= 3 && audited(id).length === 3);
    expect(actionsOn(id)).toEqual(['grant.create Members', 'grant.change Members', 'grant.withdraw Members']);
    expect(audited(id)[1]?.changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'filter', before: '"site=north"', after: '"site=south"' }),
        expect.objectContaining({ field: 'permissions', before: '["view","terminal"]', after: '["view"]' }),
      ]),
    );
    const gone = { accountId: world.acme, id };
    await expect(grants.delete(world.owner, gone)).rejects.toMatchObject({ code: 'not_found' });
    await expect(grants.update(world.owner, { ...gone, content })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('expire', async () => {
    const id = await give(everyone, { permissions: [MANAGE], expires: new Date(Date.now() + HOUR) });
    expect((await resolved()).grants).toHaveLength(1);
    await world.source.query(`UPDATE grants SET expires = now() - interval '1 second' WHERE id = $1`, [id]);
    expect((await resolved()).grants).toEqual([]);
    await world.app.get(GrantExpiry).sweep();
    await until(() => actionsOn(id).includes('grant.expire everyone') && told() > 1);
    expect(await world.source.query('SELECT id FROM grants')).toEqual([]);
  });

  it.each<[string, { permissions?: DevicePermission[]; filter?: string; expires?: Date }, string]>([
    ['permissions', { permissions: [] }, 'expected at least one permission'],
    ['filter', { filter: 'site=' }, 'Expected a value after “site=”. (at character 5)'],
    ['filter', { filter: 'cpu<50' }, 'A grant can’t select by cpu'],
    ['filter', { filter: 'failed_update=yes' }, 'A grant can’t select by failed_update'],
    ['filter', { filter: 'site=north or -(status=connected)' }, 'A grant can’t select by status'],
    ['filter', { filter: 'created<7d' }, 'created takes a date'],
    ['filter', { filter: 'a'.repeat(GRANT_LIMITS.filter + 1) }, 'expected at most 500 characters'],
    ['expires', { expires: new Date(Date.now() - 1) }, 'expected a time in the future'],
  ])('are refused for wrong %s: %o', async (field, content, message) => {
    const refused = give(everyone, content);
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ field, message: expect.stringContaining(message) }],
    });
  });

  it('are refused for another account’s people, and for nobody', async () => {
    const { id } = (
      await world.source.query<{ id: string }[]>(`SELECT id FROM users WHERE email = 'owner@zebra.test'`)
    )[0]!;
    for (const subject of [toUser(id), toUser(uuidv7()), toGroup(member), toGroup('x'), create(GrantSubjectSchema)])
      await expect(give(subject)).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it(`are ${GRANT_LIMITS.perAccount} at most`, async () => {
    await world.source.query(
      `INSERT INTO grants (id, account_id, permissions, filter, note, created_by)
       SELECT gen_random_uuid(), $1, '{view}', '', '', '' FROM generate_series(1, ${GRANT_LIMITS.perAccount})`,
      [world.acme],
    );
    await expect(give(everyone)).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it("are not another account's to read or change, nor a member's", async () => {
    const id = await give(everyone);
    const [accountId, content] = [world.acme, { permissions: [VIEW], filter: '', note: '' }];
    const page = create(PageRequestSchema, {});
    for (const [caller, code] of [
      [user(world.zebra, Role.OWNER), 'not_found'],
      [user(world.acme, Role.MEMBER), 'permission_denied'],
    ] as const) {
      const refused = { code };
      await expect(access.get(caller, { accountId })).rejects.toMatchObject(refused);
      await expect(access.members(caller, { accountId, page, userId: '' })).rejects.toMatchObject(refused);
      await expect(access.restrictable(caller, { accountId, after: '' })).rejects.toMatchObject(refused);
      await expect(explicit(true, caller)).rejects.toMatchObject(refused);
      await expect(give(everyone, { caller })).rejects.toMatchObject(refused);
      await expect(grants.update(caller, { accountId, id, content })).rejects.toMatchObject(refused);
      await expect(grants.delete(caller, { accountId, id })).rejects.toMatchObject(refused);
      await expect(access.restricted(caller, { accountId, after: '' })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    }
    await expect(grants.delete(user(world.zebra, Role.OWNER), { accountId: world.zebra, id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('restrict the role Member once the account says so, and never the operator account', async () => {
    await explicit(true);
    await explicit(true);
    const restricted = () => access.restricted(serviceCaller('tunnels'), { accountId: world.acme, after: '' });
    expect((await restricted()).users).toMatchObject([{ userId: member, role: Role.MEMBER, explicitGrants: true }]);
    await explicit(false);
    expect((await restricted()).users).toEqual([]);
    const switches = () => audited(world.acme).filter(({ action }) => action === 'account.set_access_mode');
    await until(() => told() >= 2 && switches().length === 2);
    expect(switches().map(({ changes }) => changes[0]?.after)).toEqual(['true', 'false']);
    const superAdmin = user(operator, Role.SUPER_ADMIN, true);
    await expect(explicit(true, superAdmin, operator)).rejects.toMatchObject({ code: 'failed_precondition' });
  });

  it('are shown with the users that they name', async () => {
    const id = await give(toUser(member));
    const ask = (request: object) => access.members(world.owner, { accountId: world.acme, userId: '', ...request });
    const all = await ask({});
    expect(all).toMatchObject({ total: 2, explicitGrants: false });
    const [{ n: users = 0 } = {}] = await world.source.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM users WHERE account_id = $1 AND status = 'Active'`,
      [operator],
    );
    expect(users).toBeGreaterThan(0);
    expect(all.operators).toEqual([{ role: Role.SUPER_ADMIN, users, serviceAccounts: 0 }]);
    expect((await ask({ userId: member })).operators).toEqual([]);
    const own = { accountId: operator, userId: '' };
    expect((await access.members(user(operator, Role.SUPER_ADMIN, true), own)).operators).toEqual([]);
    const { members: found } = await ask({ userId: member });
    expect(found).toMatchObject([{ user: { userId: member, grants: [{ id }] }, groupName: 'Members' }]);
    await expect(ask({ userId: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('would restrict the active users of the role Member, in pages by id', async () => {
    const ask = (after: string) => access.restrictable(world.owner, { accountId: world.acme, after });
    const one = {
      id: member,
      email: 'member@acme.test',
      groupId: members,
      groupName: 'Members',
      serviceAccount: false,
    };
    expect(await ask('')).toMatchObject({ members: [one], next: '' });
    expect(await ask(member)).toEqual({ members: [], next: '' });
    await world.source.query(
      `INSERT INTO users (id, name, email, account_id, group_id, status)
       SELECT gen_random_uuid(), '', 'crowd' || i || '@acme.test', $1, $2, CASE WHEN i > 600 THEN 'Inactive' ELSE 'Active' END
       FROM generate_series(1, 610) i`,
      [world.acme, members],
    );
    const first = await ask('');
    const last = await ask(first.next ?? '');
    const ids = [...(first.members ?? []), ...(last.members ?? [])].map(({ id }) => id);
    expect([first.members?.length, last.members?.length, last.next]).toEqual([500, 101, '']);
    expect([new Set(ids).size, ids]).toEqual([601, ids.toSorted()]);
    await world.source.query(`DELETE FROM users WHERE email LIKE 'crowd%'`);
  });

  it('are kept small enough for a call', async () => {
    await explicit(true);
    await world.source.query(
      `INSERT INTO grants (id, account_id, permissions, filter, note, created_by)
       SELECT gen_random_uuid(), $1, '{view,terminal,desktop,web,manage}', repeat('x', ${GRANT_LIMITS.filter}), '', ''
       FROM generate_series(1, ${GRANT_LIMITS.perAccount})`,
      [world.acme],
    );
    const { grants: carried } = await resolved();
    const caller = userCaller(
      create(UserCallerSchema, {
        ...requireUser(user(world.acme, Role.MEMBER)),
        grants: (carried ?? []) as AccessGrant[],
      }),
    );
    const { encodeCaller } = await import('@warren/platform/rpc/caller');
    // The bus carries a megabyte.
    expect(encodeCaller(caller).length).toBeLessThan(200_000);
  });
});
