import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import type { Event } from '@warren/platform/events/event';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role, Status } from '@warren/proto/common/v1/common';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AccountManagement } from '../src/lifecycle/account-management.service.ts';
import { AccountsService } from '../src/accounts/accounts.service.ts';
import { Founder } from '../src/lifecycle/founder.ts';
import { Ownership } from '../src/lifecycle/ownership.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';
import { until } from '@warren/infra/until';

const NOBODY = '0199f000-0000-7000-8000-00000000dead';

describe('managing accounts', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let app: INestApplicationContext;
  let source: DataSource;
  let operator: string;
  let superAdmin: Caller;
  let management: AccountManagement;
  let ownership: Ownership;
  let heard: Event[] = [];
  let audited: Event[] = [];
  /** An account of the test at hand, and its people's e-mails by role. */
  let acme: { id: string; name: string };
  let owner: string;
  let admin: string;
  let member: string;

  beforeAll(async () => {
    [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
    app = await startTenancy(database.url, nats.url);
    source = app.get(DataSource);
    management = app.get(AccountManagement);
    ownership = app.get(Ownership);
    const [row] = await source.query<{ id: string }[]>('SELECT id FROM accounts WHERE operator');
    operator = row?.id ?? '';
    superAdmin = user(operator, Role.SUPER_ADMIN, true);
    app.get(EventBus).listen((event) => (event.kind.case === 'audit' ? audited : heard).push(event));
  });

  afterAll(async () => {
    await app.close();
    await nats.stop();
    await database.drop();
  });

  beforeEach(async () => {
    const tag = randomUUID().slice(0, 8);
    [owner, admin, member] = [`owner@${tag}.test`, `admin@${tag}.test`, `member@${tag}.test`];
    acme = await found(`Acme ${tag}`, { [owner]: 'Account Owners', [admin]: 'Admins', [member]: 'Members' });
    await until(async () => (await source.query<unknown[]>('SELECT FROM outbox')).length === 0);
    heard = [];
    audited = [];
  });

  /** Seeds an account with people in default groups. */
  async function found(name: string, people: Record<string, 'Account Owners' | 'Admins' | 'Members'>) {
    const users = Object.entries(people).map(([email, group]) => ({ email, name: '', group }));
    const seed = new SeedService(app.get(Outbox), app.get(Founder));
    const { accounts } = await seed.seed({ accounts: [{ name, operator: false, users }] });
    return accounts[0] as { id: string; name: string };
  }

  const kinds = () => heard.map(({ kind }) => kind.case);
  const settled = async (kind: string) => until(() => kinds().includes(kind as never));
  const groupOf = async (email: string) => {
    const sql = 'SELECT g.name FROM users u JOIN groups g ON g.id = u.group_id WHERE u.email = $1';
    return (await source.query<{ name: string }[]>(sql, [email]))[0]?.name;
  };
  const shownOwner = async () => (await app.get(AccountsService).get(superAdmin, { id: acme.id })).account.owner;
  const resolve = (email: string) => app.get(MembersService).resolve(serviceCaller('gateway'), { email, name: '' });
  const assign = (email: string, newOwner = false, caller = superAdmin) =>
    ownership.assign(caller, { accountId: acme.id, email, newOwner });
  const disable = (id: string, caller = superAdmin) => management.setStatus(caller, { id, status: Status.INACTIVE });

  describe('who may', () => {
    const others: [string, () => Caller][] = [
      ['an operator Owner', () => user(operator, Role.OWNER, true)],
      ['an operator Admin', () => user(operator, Role.ADMIN, true)],
      ['an operator Member', () => user(operator, Role.MEMBER, true)],
      ['its Owner', () => user(acme.id, Role.OWNER)],
      ['its Admin', () => user(acme.id, Role.ADMIN)],
      ['its Member', () => user(acme.id, Role.MEMBER)],
      ['a SuperAdmin outside the operator account', () => user(acme.id, Role.SUPER_ADMIN)],
      ['a service', () => serviceCaller('gateway')],
    ];
    const forbidden = { code: 'permission_denied' };
    const refuses = async (who: Caller, refused: object) => {
      await expect(disable(acme.id, who)).rejects.toMatchObject(refused);
      await expect(management.remove(who, { id: acme.id })).rejects.toMatchObject(refused);
      await expect(assign(member, false, who)).rejects.toMatchObject(refused);
      const [account] = await source.query('SELECT status FROM accounts WHERE id = $1', [acme.id]);
      expect([account, await groupOf(owner)]).toEqual([{ status: 'Active' }, 'Account Owners']);
    };
    it.each(others)('is not %s', async (_who, who) => {
      await expect(management.create(who(), { name: 'Fresh' })).rejects.toMatchObject(forbidden);
      await refuses(who(), forbidden);
    });
    it("is not there for another account's Owner", () => refuses(user(NOBODY, Role.OWNER), { code: 'not_found' }));
  });

  describe('making one', () => {
    it('gives it its default groups, with an event in the name of its creator', async () => {
      const { account } = await management.create(superAdmin, { name: `  Fresh ${acme.name} ` });
      expect(account).toMatchObject({ name: `Fresh ${acme.name}`, status: Status.ACTIVE, operator: false });
      const groups = await source.query('SELECT name FROM groups WHERE account_id = $1 ORDER BY id', [account?.id]);
      expect(groups).toEqual(['Account Owners', 'Admins', 'Developers', 'Members'].map((name) => ({ name })));
      await settled('accountChanged');
      expect(heard[0]).toMatchObject({ accountId: account?.id, actor: '0199f000-0000-7000-8000-000000000001' });
    });

    it.each(['', '   ', 'Café', 'a-b', `x${'y'.repeat(64)}`, "'; DROP TABLE accounts;--", '<b>x</b>'])(
      'refuses the name %j by its field',
      async (name) => {
        const refused = { code: 'invalid_argument', problems: [{ field: 'name', message: expect.any(String) }] };
        await expect(management.create(superAdmin, { name })).rejects.toMatchObject(refused);
      },
    );

    it('takes a name once, whatever its case and however many try at the same time', async () => {
      const name = `Race ${acme.name}`;
      const spelled = [name, name.toUpperCase(), name.toLowerCase(), ` ${name}`];
      const tries = await Promise.allSettled(
        [...spelled, ...spelled].map((spelling) => management.create(superAdmin, { name: spelling })),
      );
      expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
      for (const reason of refused)
        expect(reason).toMatchObject({
          code: 'already_exists',
          message: 'A account with that name already exists.',
        });
      expect(await source.query('SELECT FROM accounts WHERE lower(name) = lower($1)', [name])).toHaveLength(1);
    });
  });

  describe('disabling and enabling one', () => {
    it('keeps its people out, with events of the account before its people', async () => {
      await disable(acme.id);
      expect(await resolve(member)).toMatchObject({
        accountStatus: Status.INACTIVE,
        user: { status: Status.INACTIVE },
      });
      await until(() => heard.length === 4);
      expect(heard[0]?.kind).toMatchObject({ case: 'accountChanged', value: { accountId: acme.id, active: false } });
      const told = heard.slice(1).map(({ kind }) => kind.value as { email: string; active: boolean });
      expect(told.map(({ email }) => email).sort()).toEqual([admin, member, owner].sort());
      expect(told.every(({ active }) => !active)).toBe(true);
      await management.setStatus(superAdmin, { id: acme.id, status: Status.ACTIVE });
      expect(await resolve(member)).toMatchObject({ accountStatus: Status.ACTIVE, user: { status: Status.ACTIVE } });
      await until(() => heard.length === 5);
      expect(heard[4]?.kind).toMatchObject({ case: 'accountChanged', value: { active: true } });
      await until(() => audited.length === 2);
      const changes = [{ field: 'status', before: '"Active"', after: '"Inactive"' }];
      expect(audited[0]?.kind.value).toMatchObject({ action: 'account.disable', target: { id: acme.id }, changes });
      expect(audited[1]?.kind.value).toMatchObject({ action: 'account.enable' });
    });

    it('leaves a user disabled who was disabled before', async () => {
      await source.query(`UPDATE users SET status = 'Inactive' WHERE email = $1`, [member]);
      await disable(acme.id);
      await management.setStatus(superAdmin, { id: acme.id, status: Status.ACTIVE });
      expect(await resolve(member)).toMatchObject({ user: { status: Status.INACTIVE } });
    });

    it('changes nothing when it is so already', async () => {
      await management.setStatus(superAdmin, { id: acme.id, status: Status.ACTIVE });
      expect(await source.query('SELECT FROM outbox')).toEqual([]);
      expect([heard, audited]).toEqual([[], []]);
    });

    it('is not for the operator account, for nothing and for no status', async () => {
      const conflict = { code: 'failed_precondition', message: expect.stringContaining('runs this hub') };
      await expect(disable(operator)).rejects.toMatchObject(conflict);
      for (const id of [NOBODY, 'x', '']) await expect(disable(id)).rejects.toMatchObject({ code: 'not_found' });
      const unknown = management.setStatus(superAdmin, { id: acme.id, status: Status.UNSPECIFIED });
      await expect(unknown).rejects.toMatchObject({ code: 'invalid_argument' });
    });
  });

  describe('deleting one', () => {
    it('deletes its users, groups and invitations only, with an event each', async () => {
      const other = await found(`Other ${acme.name}`, { [`x@${acme.id}.test`]: 'Members' });
      await assign(`boss@${acme.id}.test`);
      await management.remove(superAdmin, { id: acme.id });
      for (const table of ['users', 'groups', 'invitations'])
        expect(await source.query(`SELECT FROM ${table} WHERE account_id = $1`, [acme.id])).toEqual([]);
      expect(await source.query('SELECT FROM users WHERE account_id = $1', [other.id])).toHaveLength(1);
      expect(await resolve(member)).toEqual({});
      // The mail of the invitation may emit events meanwhile.
      const ends = () => heard.filter(({ kind }) => kind.case?.endsWith('Deleted'));
      await until(() => ends().length === 1 + 3 + 4 + 1);
      expect(ends()[0]?.kind).toMatchObject({ case: 'accountDeleted', value: { accountId: acme.id } });
      const ended = heard.flatMap(({ kind }) => (kind.case === 'userDeleted' ? [kind.value.email] : []));
      expect(ended.sort()).toEqual([admin, member, owner].sort());
      await expect(management.remove(superAdmin, { id: acme.id })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is not for the operator account', async () => {
      const removed = management.remove(superAdmin, { id: operator });
      await expect(removed).rejects.toMatchObject({ code: 'failed_precondition' });
      expect(await source.query('SELECT FROM users WHERE account_id = $1', [operator])).toHaveLength(1);
    });

    it('emits events for more users than one statement could name', async () => {
      // Several statements: each has a time limit.
      for (let from = 1; from <= 25_000; from += 5_000)
        await source.query(
          `INSERT INTO users (id, account_id, group_id, email) SELECT gen_random_uuid(), account_id, id, 'u' || n || '@' || $1
           FROM groups, generate_series($2::int, $2 + 4999) n WHERE account_id = $1::uuid AND name = 'Members'`,
          [acme.id, from],
        );
      await management.remove(superAdmin, { id: acme.id });
      await until(() => heard.length === 1 + 25_003 + 4, 240_000);
    }, 300_000);
  });

  describe('choosing its owner', () => {
    it('moves a user up and the owner before to the admins', async () => {
      expect(await assign(` ${member.toUpperCase()}`)).toEqual({ invited: false });
      expect([await groupOf(member), await groupOf(owner)]).toEqual(['Account Owners', 'Admins']);
      expect(await shownOwner()).toMatchObject({ email: member, signedUp: true });
      await settled('accountChanged');
      const changed = heard.flatMap(({ kind }) => (kind.case === 'userChanged' ? [kind.value.email] : []));
      expect(changed.sort()).toEqual([member, owner].sort());
    });

    it('changes nothing when it is the owner already', async () => {
      expect(await assign(owner)).toEqual({ invited: false });
      expect(await groupOf(owner)).toBe('Account Owners');
    });

    it('invites an unknown e-mail, which shows as the owner until it comes; a later choice voids that', async () => {
      const [first, second] = [`first@${acme.id}.test`, `second@${acme.id}.test`];
      expect(await assign(first)).toEqual({ invited: true });
      expect(await groupOf(owner)).toBe('Account Owners');
      expect(await shownOwner()).toMatchObject({ email: first, signedUp: false });
      expect(await assign(second)).toEqual({ invited: true });
      expect((await resolve(first)).invitation).toBeUndefined();
      expect((await resolve(second)).invitation).toMatchObject({ accountId: acme.id });
      await assign(admin);
      expect((await resolve(second)).invitation).toBeUndefined();
      expect(await shownOwner()).toMatchObject({ email: admin, signedUp: true });
      await until(() => kinds().filter((kind) => kind === 'invitationDeleted').length === 2);
    });

    it('as a new one is refused when there is one by now, or one who is invited', async () => {
      const conflict = { code: 'failed_precondition', message: expect.stringContaining('has an owner already') };
      await expect(assign(member, true)).rejects.toMatchObject(conflict);
      await source.query('DELETE FROM users WHERE email = $1', [owner]);
      expect(await assign(`boss@${acme.id}.test`, true)).toEqual({ invited: true });
      await expect(assign(member, true)).rejects.toMatchObject(conflict);
    });

    it('leaves one owner, however many choose at the same time', async () => {
      await Promise.all([member, admin, owner, member, admin].map((email) => assign(email)));
      const owners = await source.query<unknown[]>(
        `SELECT FROM users u JOIN groups g ON g.id = u.group_id WHERE u.account_id = $1 AND g.role = 'Owner'`,
        [acme.id],
      );
      expect(owners).toHaveLength(1);
    });

    it("refuses another account's user, also the last SuperAdmin, and keeps the owner", async () => {
      await found(`Other ${acme.name}`, { [`x@${acme.id}.test`]: 'Members' });
      for (const email of [`X@${acme.id}.test`, 'boss@operator.test'])
        await expect(assign(email)).rejects.toMatchObject({
          code: 'already_exists',
          message: expect.stringContaining('belongs to another account'),
        });
      expect([await groupOf(owner), await groupOf('boss@operator.test')]).toEqual(['Account Owners', 'SuperAdmins']);
    });

    it('refuses a disabled user, the operator account, an account that is not there, and what is no e-mail', async () => {
      await source.query(`UPDATE users SET status = 'Inactive' WHERE email = $1`, [member]);
      await expect(assign(member)).rejects.toMatchObject({ code: 'failed_precondition' });
      const choose = (accountId: string, email: string) =>
        ownership.assign(superAdmin, { accountId, email, newOwner: false });
      await expect(choose(operator, 'a@b.test')).rejects.toMatchObject({ code: 'failed_precondition' });
      await expect(choose(NOBODY, 'a@b.test')).rejects.toMatchObject({ code: 'not_found' });
      await expect(choose(acme.id, 'a@b')).rejects.toMatchObject({
        code: 'invalid_argument',
        problems: [{ field: 'owner', message: 'Please enter a valid email address.' }],
      });
    });
  });
});
