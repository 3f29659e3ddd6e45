import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import type { Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role, Status, UserCallerSchema } from '@warren/proto/common/v1/common';
import { DataSource } from 'typeorm';
import { Founder } from '../src/lifecycle/founder.ts';
import { ProfilesService } from '../src/profiles/profiles.service.ts';
import { peopleSchema } from '../src/seeding/people.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { UserAdministration } from '../src/users/user.administration.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';
import { until } from '@warren/infra/until';

const GROUPS = ['Account Owners', 'Admins', 'Developers', 'Members'] as const;
const PEOPLE = peopleSchema.parse({
  accounts: [
    { name: 'Operator', operator: true, users: [{ email: 'root@op.test', name: 'Root', group: 'SuperAdmins' }] },
    {
      name: 'Acme',
      users: GROUPS.map((group, n) => ({ email: `${'abcd'[n]}@acme.test`, name: group, group })),
    },
    { name: 'Zebra', users: [{ email: 'z@zebra.test', name: 'Zoe', group: 'Members' }] },
  ],
});
/** The head of a WebP file, which is what tenancy looks at. */
const webp = (text: string) => Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), Buffer.from(text)]);

describe('users', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext;
  let source: DataSource;
  let users: UserAdministration;
  let operator: string;
  let acme: string;
  let zebra: string;
  const heard: Event[] = [];
  const audited: Event[] = [];

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    [source, users] = [app.get(DataSource), app.get(UserAdministration)];
    app.get(EventBus).listen((event) => (event.kind.case === 'audit' ? audited : heard).push(event));
  });

  beforeEach(async () => {
    await source.query(`DELETE FROM users WHERE email <> 'boss@operator.test'`);
    const { accounts } = await new SeedService(app.get(Outbox), app.get(Founder)).seed(PEOPLE);
    [operator, acme, zebra] = accounts.map(({ id }) => id) as [string, string, string];
    await until(async () => (await source.query('SELECT FROM outbox')).length === 0);
    heard.length = 0;
    audited.length = 0;
  });

  afterAll(async () => {
    await app?.close();
    await nats?.stop();
    await database?.drop();
  });

  const idOf = async (email: string): Promise<string> =>
    (await source.query('SELECT id FROM users WHERE email = $1', [email]))[0]?.id;
  const groupOf = async (account: string, name: string): Promise<string> =>
    (await source.query('SELECT id FROM groups WHERE account_id = $1 AND name = $2', [account, name]))[0]?.id;
  const kinds = () => heard.map(({ kind }) => kind.case);
  const move = (caller: Caller, id: string, groupId: string, more = {}) =>
    users.move(caller, { id, groupId, oldGroupId: '', accountId: '', ...more });
  const superAdmin = () => user(operator, Role.SUPER_ADMIN, true);

  it('are read by managers of their account', async () => {
    const id = await idOf('d@acme.test');
    expect(await users.get(user(acme, Role.ADMIN), { id })).toMatchObject({ user: { id, groupName: 'Members' } });
    await expect(users.get(user(acme, Role.MEMBER), { id })).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('are disabled and enabled, with one event per change', async () => {
    const id = await idOf('d@acme.test');
    const owner = user(acme, Role.OWNER);
    for (const status of [Status.INACTIVE, Status.INACTIVE, Status.ACTIVE])
      expect(await users.setStatus(owner, { id, status })).toMatchObject({ user: { status } });
    await until(() => heard.length >= 2);
    expect(
      heard.map(({ kind, accountId }) => [kind.case, kind.case === 'userChanged' && kind.value.active, accountId]),
    ).toEqual([
      ['userChanged', false, acme],
      ['userChanged', true, acme],
    ]);
    expect(heard[0]?.actor).not.toBe('');
    await until(() => audited.length === 2);
    expect(audited.map(({ kind }) => kind.value)).toMatchObject([
      { action: 'user.disable', target: { kind: 'user', id }, changes: [{ field: 'status', after: '"Inactive"' }] },
      { action: 'user.enable', target: { kind: 'user', id }, changes: [{ field: 'status', after: '"Active"' }] },
    ]);
    await expect(users.setStatus(owner, { id, status: Status.UNSPECIFIED })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('are deleted, with an event for sessions and terminals', async () => {
    const id = await idOf('d@acme.test');
    await users.delete(user(acme, Role.OWNER), { id });
    expect(await idOf('d@acme.test')).toBeUndefined();
    await until(() => kinds().includes('userDeleted') && kinds().includes('groupChanged'));
    expect(heard.find(({ kind }) => kind.case === 'userDeleted')?.kind.value).toMatchObject({
      userId: id,
      email: 'd@acme.test',
    });
  });

  it('report a leaving owner as a change of the account', async () => {
    await users.delete(superAdmin(), { id: await idOf('a@acme.test') });
    await until(() => kinds().includes('accountChanged'));
  });

  describe('moving', () => {
    it('puts a user into another group', async () => {
      const [id, admins] = [await idOf('d@acme.test'), await groupOf(acme, 'Admins')];
      expect(await move(user(acme, Role.ADMIN), id, admins)).toMatchObject({
        user: { role: Role.ADMIN, groupId: admins },
      });
      expect(await users.get(superAdmin(), { id })).toMatchObject({ user: { groupName: 'Admins' } });
      await until(() => kinds().filter((kind) => kind === 'groupChanged').length === 2);
    });

    it('needs the group that the caller saw, and the account', async () => {
      const [id, admins, developers] = [
        await idOf('d@acme.test'),
        await groupOf(acme, 'Admins'),
        await groupOf(acme, 'Developers'),
      ];
      const owner = user(acme, Role.OWNER);
      await expect(move(owner, id, admins, { oldGroupId: developers })).rejects.toMatchObject({
        code: 'failed_precondition',
      });
      await expect(move(owner, id, admins, { accountId: zebra })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('has no way into owners, into SuperAdmins for others, or into another account', async () => {
      const id = await idOf('d@acme.test');
      await expect(move(superAdmin(), id, await groupOf(acme, 'Account Owners'))).rejects.toMatchObject({
        code: 'invalid_argument',
      });
      await expect(move(superAdmin(), id, await groupOf(zebra, 'Members'))).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(move(superAdmin(), id, 'x')).rejects.toMatchObject({ code: 'not_found' });
      const root = await idOf('root@op.test');
      await users.delete(superAdmin(), { id: root });
      await new SeedService(app.get(Outbox), app.get(Founder)).seed(
        peopleSchema.parse({
          accounts: [
            { name: 'Operator', operator: true, users: [{ email: 'root@op.test', name: '', group: 'Members' }] },
          ],
        }),
      );
      const operatorAdmin = user(operator, Role.ADMIN, true);
      const moved = move(operatorAdmin, await idOf('root@op.test'), await groupOf(operator, 'SuperAdmins'));
      await expect(moved).rejects.toMatchObject({ code: 'permission_denied' });
    });
  });

  describe('who may', () => {
    const actions = (caller: Caller, id: string, group: string) => [
      () => users.setStatus(caller, { id, status: Status.INACTIVE }),
      () => move(caller, id, group),
      () => users.delete(caller, { id }),
    ];

    it('are not Members', async () => {
      for (const act of actions(user(acme, Role.MEMBER), await idOf('c@acme.test'), await groupOf(acme, 'Members')))
        await expect(act()).rejects.toMatchObject({ code: 'permission_denied' });
    });

    it('are Admins for neither Owners nor SuperAdmins', async () => {
      for (const act of actions(user(acme, Role.ADMIN), await idOf('a@acme.test'), await groupOf(acme, 'Members')))
        await expect(act()).rejects.toMatchObject({ code: 'permission_denied' });
      const operatorAdmin = user(operator, Role.ADMIN, true);
      for (const act of actions(operatorAdmin, await idOf('root@op.test'), await groupOf(operator, 'Members')))
        await expect(act()).rejects.toMatchObject({ code: 'permission_denied' });
    });

    it.each([Role.OWNER, Role.ADMIN, Role.MEMBER])('is never one of another account (role %s)', async (role) => {
      const stranger = user(zebra, role);
      const id = await idOf('d@acme.test');
      await expect(users.get(stranger, { id })).rejects.toMatchObject({ code: 'not_found' });
      for (const act of actions(stranger, id, await groupOf(acme, 'Developers')))
        await expect(act()).rejects.toMatchObject({ code: 'not_found' });
      expect(await users.get(superAdmin(), { id })).toMatchObject({
        user: { status: Status.ACTIVE, groupName: 'Members' },
      });
    });

    it('is never their own user', async () => {
      const id = await idOf('b@acme.test');
      const self = person(id, 'b@acme.test', acme, Role.ADMIN);
      for (const act of actions(self, id, await groupOf(acme, 'Members')))
        await expect(act()).rejects.toMatchObject({ code: 'failed_precondition' });
    });
  });

  describe('the last active SuperAdmin', () => {
    it('stays', async () => {
      const [root, boss] = [await idOf('root@op.test'), await idOf('boss@operator.test')];
      await users.setStatus(superAdmin(), { id: root, status: Status.INACTIVE });
      for (const act of [
        () => users.setStatus(superAdmin(), { id: boss, status: Status.INACTIVE }),
        async () => move(superAdmin(), boss, await groupOf(operator, 'Members')),
        () => users.delete(superAdmin(), { id: boss }),
      ])
        await expect(act()).rejects.toMatchObject({ code: 'failed_precondition' });
    });

    it('remains when the last two remove one another at the same time', async () => {
      const [root, boss] = [await idOf('root@op.test'), await idOf('boss@operator.test')];
      const results = await Promise.allSettled([
        users.setStatus(person(boss, 'boss@operator.test', operator, Role.SUPER_ADMIN, true), {
          id: root,
          status: Status.INACTIVE,
        }),
        users.setStatus(person(root, 'root@op.test', operator, Role.SUPER_ADMIN, true), {
          id: boss,
          status: Status.INACTIVE,
        }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await source.query(`UPDATE users SET status = 'Active' WHERE email = 'boss@operator.test'`);
    });
  });

  describe('a profile', () => {
    it('is one’s own name and picture', async () => {
      const profiles = app.get(ProfilesService);
      const id = await idOf('d@acme.test');
      const self = person(id, 'd@acme.test', acme, Role.MEMBER);
      const { user: changed } = await profiles.update(self, { name: ' Dora ', picture: webp('one') });
      expect(changed).toMatchObject({
        name: 'Dora',
        picture: expect.stringMatching(`^/api/pictures/${id}\\?v=[0-9a-f]{16}$`),
      });
      expect((await profiles.update(self, { picture: webp('two') })).user.picture).not.toBe(changed.picture);
      expect(Buffer.from((await profiles.picture(user(acme, Role.MEMBER), { userId: id })).content)).toEqual(
        webp('two'),
      );
      expect((await profiles.picture(superAdmin(), { userId: id })).content).toHaveLength(webp('two').length);
      await expect(profiles.picture(user(zebra, Role.OWNER), { userId: id })).rejects.toMatchObject({
        code: 'not_found',
      });
      expect((await profiles.update(self, { picture: Buffer.alloc(0) })).user).toMatchObject({
        picture: '',
        name: 'Dora',
      });
      await expect(profiles.picture(self, { userId: id })).rejects.toMatchObject({ code: 'not_found' });
      await until(() => kinds().filter((kind) => kind === 'userChanged').length === 3);
    });

    it.each([
      [{ name: '  ' }],
      [{ name: 'x'.repeat(201) }],
      [{ picture: Buffer.from('<svg/>') }],
      [{ picture: webp('x'.repeat(256 * 1024)) }],
    ])('has no wrong values', async (change) => {
      const self = person(await idOf('d@acme.test'), 'd@acme.test', acme, Role.MEMBER);
      await expect(app.get(ProfilesService).update(self, change)).rejects.toMatchObject({ code: 'invalid_argument' });
    });

    it('is no service’s', async () => {
      await expect(app.get(ProfilesService).update(serviceCaller('gateway'), { name: 'x' })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    });
  });
});

function person(userId: string, email: string, accountId: string, role: Role, operator = false): Caller {
  return userCaller(create(UserCallerSchema, { userId, email, name: '', accountId, role, operator }));
}
