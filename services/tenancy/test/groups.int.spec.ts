import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import type { Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { LIMITS } from '@warren/rules/limits';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Founder } from '../src/lifecycle/founder.ts';
import { GroupManagement } from '../src/lifecycle/group-management.service.ts';
import { GroupsService } from '../src/groups/groups.service.ts';
import { Invitations } from '../src/invitations/invitations.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';
import { until } from '@warren/infra/until';

const NOBODY = '0199f000-0000-7000-8000-00000000dead';

describe('managing groups', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext;
  let source: DataSource;
  let management: GroupManagement;
  let groups: GroupsService;
  let operator: string;
  let acme: string;
  let zebra: string;
  let heard: Event[] = [];
  let audited: Event[] = [];

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    source = app.get(DataSource);
    management = app.get(GroupManagement);
    groups = app.get(GroupsService);
    const [row] = await source.query<{ id: string }[]>('SELECT id FROM accounts WHERE operator');
    operator = row?.id ?? '';
    app.get(EventBus).listen((event) => (event.kind.case === 'audit' ? audited : heard).push(event));
  });

  afterAll(async () => {
    await app.close();
    await nats.stop();
    await database.drop();
  });

  beforeEach(async () => {
    const seed = new SeedService(app.get(Outbox), app.get(Founder));
    const named = (name: string) => ({ name: `${name} ${randomUUID().slice(0, 8)}`, operator: false, users: [] });
    const { accounts } = await seed.seed({ accounts: [named('Acme'), named('Zebra')] });
    [acme, zebra] = accounts.map(({ id }) => id) as [string, string];
    await until(async () => (await source.query<unknown[]>('SELECT FROM outbox')).length === 0);
    heard = [];
    audited = [];
  });

  const admin = () => user(acme, Role.ADMIN);
  const create = async (name: string, role = Role.MEMBER, caller: Caller = admin(), accountId = acme) =>
    (await management.create(caller, { accountId, name, role })).group as { id: string; name: string };
  const defaultGroup = async (name: string) => {
    const [row] = await source.query<{ id: string }[]>('SELECT id FROM groups WHERE account_id = $1 AND name = $2', [
      acme,
      name,
    ]);
    return row?.id ?? '';
  };

  describe('who may', () => {
    const managers: [string, () => Caller][] = [
      ['a SuperAdmin', () => user(operator, Role.SUPER_ADMIN, true)],
      ['an operator Admin', () => user(operator, Role.ADMIN, true)],
      ['its Owner', () => user(acme, Role.OWNER)],
      ['its Admin', () => user(acme, Role.ADMIN)],
    ];
    it.each(managers)('is %s', async (_who, who) => {
      const { id } = await create('Field crew', Role.MEMBER, who());
      expect((await groups.get(who(), { id })).group).toMatchObject({ name: 'Field crew', accountId: acme });
      expect((await groups.names(who(), { accountId: acme })).groups).toHaveLength(5);
      await management.remove(who(), { id });
      await expect(groups.get(who(), { id })).rejects.toMatchObject({ code: 'not_found' });
    });

    const others: [string, () => Caller][] = [
      ['its Member', () => user(acme, Role.MEMBER)],
      ['an operator Member', () => user(operator, Role.MEMBER, true)],
      ['a service', () => serviceCaller('gateway')],
    ];
    it.each(others)('is not %s', async (_who, who) => {
      const { id } = await create('Field crew');
      const refused = { code: 'permission_denied' };
      await expect(create('Other', Role.MEMBER, who())).rejects.toMatchObject(refused);
      await expect(groups.get(who(), { id })).rejects.toMatchObject(refused);
      await expect(groups.names(who(), { accountId: acme })).rejects.toMatchObject(refused);
      await expect(management.remove(who(), { id })).rejects.toMatchObject(refused);
    });

    it.each([Role.OWNER, Role.ADMIN, Role.MEMBER])("is not another account's, whatever the role (%s)", async (role) => {
      const { id } = await create('Field crew');
      const stranger = user(zebra, role);
      const absent = { code: 'not_found' };
      await expect(create('Other', Role.MEMBER, stranger)).rejects.toMatchObject(absent);
      await expect(groups.get(stranger, { id })).rejects.toMatchObject(absent);
      await expect(groups.names(stranger, { accountId: acme })).rejects.toMatchObject(absent);
      await expect(management.remove(stranger, { id })).rejects.toMatchObject(absent);
      expect((await groups.get(admin(), { id })).group).toMatchObject({ id });
    });
  });

  describe('making one', () => {
    it('trims dashes, and emits an event', async () => {
      const { id, name } = await create('--Field crew--', Role.ADMIN);
      expect(name).toBe('Field crew');
      expect((await groups.get(admin(), { id })).group).toMatchObject({
        role: Role.ADMIN,
        default: false,
        userCount: 0,
      });
      await until(() => heard.length === 1);
      expect(heard[0]).toMatchObject({ accountId: acme, kind: { case: 'groupChanged', value: { groupId: id } } });
      await until(() => audited.length === 1);
      const target = { kind: 'group', id, name: 'Field crew' };
      expect(audited[0]).toMatchObject({ accountId: acme, kind: { value: { action: 'group.create', target } } });
    });

    it.each(['', '--', ' - ', 'a-b', '<i>x</i>', 'Größe', 'x'.repeat(65)])(
      'refuses the name %j by its field',
      async (name) => {
        await expect(create(name)).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field: 'name' }] });
      },
    );

    it.each([Role.SUPER_ADMIN, Role.OWNER, Role.UNSPECIFIED, 99 as Role])('gives no role %s', async (role) => {
      const superAdmin = user(operator, Role.SUPER_ADMIN, true);
      await expect(create('Power', role, superAdmin)).rejects.toMatchObject({
        code: 'invalid_argument',
        problems: [{ field: 'role' }],
      });
    });

    it('takes a name once in an account, whatever its case and however many try at the same time', async () => {
      const tries = await Promise.allSettled(['Crew', 'CREW', 'crew', 'Crew', 'cReW'].map((name) => create(name)));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of tries)
        if (one.status === 'rejected')
          expect(one.reason).toMatchObject({
            code: 'already_exists',
            message: 'A group with that name already exists.',
          });
      await expect(create('admins')).rejects.toMatchObject({ code: 'already_exists' });
      expect(await create('Crew', Role.MEMBER, user(zebra, Role.OWNER), zebra)).toMatchObject({ name: 'Crew' });
    });

    it('ends at the limit, however many try at the same time', async () => {
      await source.query(
        `INSERT INTO groups (id, account_id, name, role)
         SELECT gen_random_uuid(), $1::uuid, 'Group ' || n, 'Member' FROM generate_series(1, $2::int) n`,
        [acme, LIMITS.accountGroups - 4 - 2],
      );
      const tries = await Promise.allSettled(['A', 'B', 'C', 'D'].map((name) => create(name)));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      expect((await groups.names(admin(), { accountId: acme })).groups).toHaveLength(LIMITS.accountGroups);
    });

    it('needs an account that is there', async () => {
      const superAdmin = user(operator, Role.SUPER_ADMIN, true);
      for (const accountId of [NOBODY, 'x', ''])
        await expect(create('Crew', Role.MEMBER, superAdmin, accountId)).rejects.toMatchObject({ code: 'not_found' });
      for (const accountId of [NOBODY, 'x', ''])
        await expect(groups.names(superAdmin, { accountId })).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  it('names all of an account, the powerful first', async () => {
    await create('Crew');
    const { groups: named } = await groups.names(admin(), { accountId: acme });
    expect(named?.map(({ name, role, default: made }) => [name, role, made])).toEqual([
      ['Account Owners', Role.OWNER, true],
      ['Admins', Role.ADMIN, true],
      ['Crew', Role.MEMBER, false],
      ['Developers', Role.MEMBER, true],
      ['Members', Role.MEMBER, true],
    ]);
  });

  describe('deleting one', () => {
    it.each([
      [Role.MEMBER, 'Members'],
      [Role.ADMIN, 'Admins'],
    ])('of role %s moves its users and invitations to %s', async (role, home) => {
      const { id } = await create('Crew', role);
      const email = `${randomUUID()}@acme.test`;
      await source.query('INSERT INTO users (id, account_id, group_id, email) VALUES ($1, $2, $3, $4)', [
        uuidv7(),
        acme,
        id,
        email,
      ]);
      await app.get(Outbox).transaction(async (manager, emit) => {
        const invite = { accountId: acme, groupIds: [id], email: `guest-${email}`, invitedBy: NOBODY };
        await app.get(Invitations).invite(manager, emit, invite);
      });
      heard = [];
      expect(await management.remove(admin(), { id })).toEqual({ movedTo: home, movedUsers: 1 });
      const homeId = await defaultGroup(home);
      expect((await groups.get(admin(), { id: homeId })).group).toMatchObject({ userCount: 1 });
      const rows = await source.query('SELECT group_id FROM invitations WHERE account_id = $1', [acme]);
      expect(rows).toEqual([{ group_id: homeId }]);
      await until(() => heard.some(({ kind }) => kind.case === 'groupDeleted' && kind.value.groupId === id));
      await until(() => heard.some(({ kind }) => kind.case === 'userChanged' && kind.value.active));
    });

    it.each(['Account Owners', 'Admins', 'Developers', 'Members'])('is not for %s', async (name) => {
      const superAdmin = user(operator, Role.SUPER_ADMIN, true);
      await expect(management.remove(superAdmin, { id: await defaultGroup(name) })).rejects.toMatchObject({
        code: 'failed_precondition',
      });
    });

    it('is done once, and not for what is not there', async () => {
      const { id } = await create('Crew');
      const tries = await Promise.allSettled([1, 2, 3].map(() => management.remove(admin(), { id })));
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const absent of [NOBODY, 'x', ''])
        await expect(management.remove(admin(), { id: absent })).rejects.toMatchObject({ code: 'not_found' });
    });
  });
});
