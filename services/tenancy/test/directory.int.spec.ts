import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { PageRequestSchema, Role, SortOrder, Status } from '@warren/proto/common/v1/common';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AccountsService } from '../src/accounts/accounts.service.ts';
import { Founder } from '../src/lifecycle/founder.ts';
import { GroupsService } from '../src/groups/groups.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { peopleSchema } from '../src/seeding/people.ts';
import { SeedService, type Seeded } from '../src/seeding/seed.service.ts';
import { UsersService } from '../src/users/users.service.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

const PEOPLE = peopleSchema.parse({
  accounts: [
    { name: 'Operator', operator: true, users: [{ email: 'admin@op.test', name: 'Ada', group: 'Admins' }] },
    {
      name: 'Acme',
      users: [
        { email: 'Owner@Acme.test', name: 'Olga', group: 'Account Owners' },
        { email: 'member@acme.test', name: 'Max', group: 'Members' },
        { email: 'new@acme.test', name: '', group: 'Developers' },
      ],
    },
    { name: 'Zebra 100', users: [{ email: 'owner@zebra.test', name: 'Zoe', group: 'Account Owners' }] },
  ],
});
const page = (init: { page?: number; limit?: number; search?: string; order?: SortOrder }) =>
  create(PageRequestSchema, init);
const NOBODY = '0199f000-0000-7000-8000-00000000dead';

describe('the directory', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext;
  let source: DataSource;
  let seeded: Seeded;
  let operator: string;
  let acme: string;
  let zebra: string;
  const seed = () => new SeedService(app.get(Outbox), app.get(Founder));

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    source = app.get(DataSource);
    seeded = await seed().seed(PEOPLE);
    [operator, acme, zebra] = seeded.accounts.map(({ id }) => id) as [string, string, string];
  });

  afterAll(async () => {
    await app.close();
    await nats.stop();
    await database.drop();
  });

  describe('seeding', () => {
    it('makes what is missing, and nothing twice, even at the same time', async () => {
      expect(seeded.accounts.map(({ created }) => created)).toEqual([false, true, true]);
      const again = await Promise.all([seed().seed(PEOPLE), seed().seed(PEOPLE)]);
      for (const { accounts } of again) {
        expect(accounts.map(({ id }) => id)).toEqual([operator, acme, zebra]);
        expect(accounts.flatMap(({ users }) => users).some(({ created }) => created)).toBe(false);
      }
    });

    it('refuses a person of another account, and keeps nothing of that file', async () => {
      const people = peopleSchema.parse({
        accounts: [
          { name: 'Fresh', users: [] },
          { name: 'acme', users: [{ email: 'OWNER@zebra.test', name: '', group: 'Members' }] },
        ],
      });
      await expect(seed().seed(people)).rejects.toMatchObject({ code: 'already_exists' });
      expect(await source.query(`SELECT FROM accounts WHERE name = 'Fresh'`)).toEqual([]);
    });

    it('refuses SuperAdmins outside the operator account', async () => {
      const people = peopleSchema.parse({
        accounts: [{ name: 'Acme', users: [{ email: 'root@acme.test', name: '', group: 'SuperAdmins' }] }],
      });
      await expect(seed().seed(people)).rejects.toMatchObject({ code: 'not_found' });
    });
  });

  describe('accounts', () => {
    const list = (role: Role, init = {}) =>
      app.get(AccountsService).list(user(operator, role, true), { page: page(init) });
    const names = (answer: { accounts?: { name?: string }[] }) => answer.accounts?.map(({ name }) => name);

    it('come by name with their owner, searched and paged in the database', async () => {
      const all = await list(Role.SUPER_ADMIN);
      expect(names(all)).toEqual(['Acme', 'Operator', 'Zebra 100']);
      expect(all.accounts?.[0]).toMatchObject({
        status: Status.ACTIVE,
        operator: false,
        owner: { email: 'owner@acme.test', name: 'Olga', signedUp: true },
      });
      expect(all.accounts?.[1]).not.toHaveProperty('owner');
      expect(names(await list(Role.SUPER_ADMIN, { order: SortOrder.DESC, limit: 1, page: 2 }))).toEqual(['Operator']);
      expect(await list(Role.SUPER_ADMIN, { limit: 2, page: 9 })).toMatchObject({ accounts: [], total: 3 });
      expect(await list(Role.SUPER_ADMIN, { search: 'EBR' })).toMatchObject({ accounts: [{ id: zebra }], total: 1 });
      expect(await list(Role.SUPER_ADMIN, { search: '%%' })).toMatchObject({ accounts: [], total: 0 });
    });

    it('come by their ids, unknown ones left out', async () => {
      const service = app.get(AccountsService);
      const unknown = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';
      const answer = await service.list(user(operator, Role.MEMBER, true), { ids: [zebra, unknown, 'x', acme] });
      expect(names(answer)?.toSorted()).toEqual(['Acme', 'Zebra 100']);
      await expect(service.list(user(acme, Role.OWNER), { ids: [acme] })).rejects.toMatchObject({
        code: 'permission_denied',
      });
      await expect(
        service.list(user(operator, Role.SUPER_ADMIN, true), { ids: Array.from({ length: 1_001 }, () => acme) }),
      ).rejects.toMatchObject({ problems: [{ field: 'ids' }] });
    });

    it('show owners only to those who may see the directory', async () => {
      expect((await list(Role.MEMBER)).accounts?.[0]).not.toHaveProperty('owner');
      expect((await list(Role.ADMIN)).accounts?.[0]).toHaveProperty('owner');
    });

    it.each([Role.OWNER, Role.ADMIN, Role.MEMBER, Role.SUPER_ADMIN])(
      'are no list for customers (role %s)',
      async (role) => {
        const answer = app.get(AccountsService).list(user(acme, role), {});
        await expect(answer).rejects.toMatchObject({ code: 'permission_denied' });
      },
    );

    it("read: one's own, not another account's", async () => {
      const accounts = app.get(AccountsService);
      expect(await accounts.get(user(acme, Role.MEMBER), { id: acme })).toMatchObject({ account: { name: 'Acme' } });
      await expect(accounts.get(user(acme, Role.OWNER), { id: zebra })).rejects.toMatchObject({ code: 'not_found' });
      await expect(accounts.get(user(acme, Role.OWNER), { id: NOBODY })).rejects.toMatchObject({ code: 'not_found' });
      const superAdmin = user(operator, Role.SUPER_ADMIN, true);
      expect(await accounts.get(superAdmin, { id: zebra })).toMatchObject({ account: { id: zebra } });
      await expect(accounts.get(superAdmin, { id: 'x' })).rejects.toMatchObject({ code: 'not_found' });
      expect(await accounts.get(serviceCaller('devices'), { id: acme })).toMatchObject({ account: { id: acme } });
      await expect(accounts.get(serviceCaller('gateway'), { id: acme })).rejects.toMatchObject({
        code: 'permission_denied',
      });
    });

    it('show a pending owner where there is none yet', async () => {
      await invite('boss@zebra2.test', zebra, 'Account Owners');
      await source.query(`DELETE FROM users WHERE email = 'owner@zebra.test'`);
      const { account } = await app.get(AccountsService).get(serviceCaller('devices'), { id: zebra });
      expect(account.owner).toEqual({ name: '', email: 'boss@zebra2.test', picture: '', signedUp: false });
    });

    it('name the operator account to all users', async () => {
      const workspace = { operatorAccountId: operator, operatorAccountName: 'Operator' };
      expect(await app.get(AccountsService).workspace(user(acme, Role.MEMBER))).toEqual(workspace);
      expect(await app.get(AccountsService).workspace(serviceCaller('gateway'))).toEqual(workspace);
    });
  });

  describe('groups', () => {
    const list = (caller: ReturnType<typeof user>, accountId = '', init = {}) =>
      app.get(GroupsService).list(caller, { accountId, page: page(init) });

    it('are those of the own account, with their users counted', async () => {
      const answer = await list(user(acme, Role.ADMIN));
      expect(answer.total).toBe(4);
      expect(answer.groups?.map(({ name, role, userCount }) => [name, role, userCount])).toEqual([
        ['Account Owners', Role.OWNER, 1],
        ['Admins', Role.ADMIN, 0],
        ['Developers', Role.MEMBER, 1],
        ['Members', Role.MEMBER, 1],
      ]);
      expect(answer.groups?.every(({ accountId, default: made }) => accountId === acme && made)).toBe(true);
    });

    it("are not another account's", async () => {
      await expect(list(user(acme, Role.OWNER), zebra)).rejects.toMatchObject({ code: 'not_found' });
      await expect(list(user(acme, Role.MEMBER), acme)).rejects.toMatchObject({ code: 'permission_denied' });
      expect((await list(user(operator, Role.SUPER_ADMIN, true), zebra, { search: 'owners' })).groups).toMatchObject([
        { accountId: zebra, accountName: 'Zebra 100' },
      ]);
      expect((await list(user(operator, Role.ADMIN, true))).total).toBe(13);
    });
  });

  describe('users', () => {
    const list = (caller: ReturnType<typeof user>, request: { accountId?: string; groupId?: string } = {}, init = {}) =>
      app.get(UsersService).list(caller, { accountId: '', groupId: '', ...request, page: page(init) });
    const emails = (answer: Awaited<ReturnType<typeof list>>) => answer.users?.map(({ email }) => email);

    it('are those of the own account, searched by name and e-mail', async () => {
      const owner = user(acme, Role.OWNER);
      expect(emails(await list(owner))).toEqual(['new@acme.test', 'member@acme.test', 'owner@acme.test']);
      expect(emails(await list(owner, {}, { search: 'OLG' }))).toEqual(['owner@acme.test']);
      expect(await list(owner, {}, { search: '@acme', limit: 1, page: 3 })).toMatchObject({
        users: [{ email: 'owner@acme.test', accountName: 'Acme', groupName: 'Account Owners', role: Role.OWNER }],
        total: 3,
      });
    });

    it("are not another account's, by account or by group", async () => {
      await expect(list(user(acme, Role.OWNER), { accountId: zebra })).rejects.toMatchObject({ code: 'not_found' });
      await expect(list(user(acme, Role.MEMBER))).rejects.toMatchObject({ code: 'permission_denied' });
      const groups = await app.get(GroupsService).list(user(acme, Role.OWNER), { accountId: acme });
      const members = groups.groups?.find(({ name }) => name === 'Members')?.id ?? '';
      expect(emails(await list(user(acme, Role.ADMIN), { groupId: members }))).toEqual(['member@acme.test']);
      expect(await list(user(zebra, Role.ADMIN), { groupId: members })).toMatchObject({ users: [], total: 0 });
    });

    it('are those of all accounts for who may see the directory, of the own for other operators', async () => {
      expect((await list(user(operator, Role.ADMIN, true))).total).toBe(5);
      expect((await list(user(operator, Role.OWNER, true))).total).toBe(2);
    });
  });

  describe('resolving a member', () => {
    const resolve = (email: string, name = '') =>
      app.get(MembersService).resolve(serviceCaller('gateway'), { email, name });

    it('is for the gateway, tunnels, devices and identity only', async () => {
      const members = app.get(MembersService);
      for (const caller of [serviceCaller('fleet'), user(operator, Role.SUPER_ADMIN, true)])
        await expect(members.resolve(caller, { email: 'a@b.c', name: '' })).rejects.toMatchObject({
          code: 'permission_denied',
        });
    });

    it('finds a user whatever the case, and takes the name once', async () => {
      expect((await resolve(' NEW@Acme.Test ', 'Nina')).user).toMatchObject({ name: 'Nina', groupName: 'Developers' });
      expect((await resolve('new@acme.test', 'Other')).user).toMatchObject({ name: 'Nina' });
    });

    it('counts a user of a disabled account as inactive', async () => {
      await source.query(`UPDATE accounts SET status = 'Inactive' WHERE id = $1`, [acme]);
      expect(await resolve('member@acme.test')).toMatchObject({
        accountStatus: Status.INACTIVE,
        user: { status: Status.INACTIVE },
      });
      await source.query(`UPDATE accounts SET status = 'Active' WHERE id = $1`, [acme]);
      expect(await resolve('member@acme.test')).toMatchObject({ user: { status: Status.ACTIVE } });
    });

    it('finds a good invitation, but none that is old or accepted', async () => {
      expect(await resolve('guest@elsewhere.test')).toEqual({});
      const id = await invite('guest@elsewhere.test', acme, 'Members');
      expect(await resolve('Guest@Elsewhere.test')).toMatchObject({
        invitation: { id, accountId: acme, accountName: 'Acme' },
      });
      await source.query('UPDATE invitations SET expires = now() WHERE id = $1', [id]);
      expect(await resolve('guest@elsewhere.test')).toEqual({});
    });
  });

  /** The invitation as the API will write it. */
  async function invite(email: string, accountId: string, group: string): Promise<string> {
    const id = uuidv7();
    await source.query(
      `INSERT INTO invitations (id, account_id, group_id, email, token_hash)
       SELECT $1::uuid, account_id, id, $3, sha256($1::uuid::text::bytea) FROM groups WHERE account_id = $2 AND name = $4`,
      [id, accountId, email, group],
    );
    return id;
  }
});
