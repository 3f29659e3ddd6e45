import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import { startRedis } from '@warren/infra/redis';
import type { TestDatabase } from '@warren/infra/test-database';
import { EventBus } from '@warren/platform/events/event.bus';
import type { Event } from '@warren/platform/events/event';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { PageRequestSchema, Role } from '@warren/proto/common/v1/common';
import { Delivery } from '@warren/proto/tenancy/v1/invitations';
import { DataSource } from 'typeorm';
import { Founder } from '../src/accounts/founder.ts';
import { AcceptanceService } from '../src/invitations/acceptance.service.ts';
import { InvitationsService } from '../src/invitations/invitations.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { peopleSchema } from '../src/seeding/people.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { linkIn, MailServer } from './mail.server.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';
import { until } from './until.ts';

const PEOPLE = peopleSchema.parse({
  accounts: [
    {
      name: 'Acme',
      users: [
        { email: 'owner@acme.test', name: 'Olga', group: 'Account Owners' },
        { email: 'member@acme.test', name: 'Max', group: 'Members' },
      ],
    },
    { name: 'Zebra', users: [{ email: 'owner@zebra.test', name: 'Zoe', group: 'Account Owners' }] },
  ],
});
const gateway = serviceCaller('gateway');
let count = 0;
/** An e-mail that nobody used before. */
const fresh = () => `guest${++count}@else.test`;

describe('invitations', () => {
  let database: TestDatabase;
  let nats: Awaited<ReturnType<typeof startNats>>;
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let mail: MailServer;
  let app: INestApplicationContext;
  let source: DataSource;
  let service: InvitationsService;
  let acceptance: AcceptanceService;
  let acme: string;
  let zebra: string;
  let owner: Caller;
  const heard: Event[] = [];

  beforeAll(async () => {
    mail = await new MailServer().start();
    [database, nats, redis] = await Promise.all([tenancyDatabase(), startNats(), startRedis()]);
    app = await startTenancy(database.url, nats.url, { REDIS_URL: redis.url, SMTP_URL: mail.url });
    [source, service, acceptance] = [app.get(DataSource), app.get(InvitationsService), app.get(AcceptanceService)];
    const { accounts } = await new SeedService(app.get(Outbox), app.get(Founder)).seed(PEOPLE);
    [acme, zebra] = accounts.map(({ id }) => id) as [string, string];
    owner = user(acme, Role.OWNER);
    app.get(EventBus).listen((event) => heard.push(event));
  });

  beforeEach(() => {
    mail.refusal = undefined;
    heard.length = 0;
  });

  afterAll(async () => {
    await app?.close();
    await Promise.all([nats?.stop(), redis?.stop(), mail?.stop()]);
    await database?.drop();
  });

  const send = (emails: string[], groups = ['Members'], caller = owner, accountId = acme) =>
    service.send(caller, { accountId, groups, emails });
  const list = async (caller = owner, request: { accountId?: string; groupId?: string } = {}, limit = 200) =>
    service.list(caller, {
      accountId: '',
      groupId: '',
      ...request,
      page: create(PageRequestSchema, { page: 1, limit }),
    });
  const row = async (email: string, caller = owner) =>
    (await list(caller)).invitations?.find((invitation) => invitation.email === email);
  const mailed = async (email: string, times = 1) => {
    await until(() => mail.to(email).length >= times);
    const link = linkIn(mail.to(email)[times - 1]!);
    return { email: link['email'] ?? '', accountId: link['account'] ?? '', token: link['token'] ?? '' };
  };
  const accept = (link: { email: string; accountId: string; token: string }, as = link.email) =>
    acceptance.accept(gateway, { link, signedInEmail: as, signedInName: 'Idp Name' });

  describe('sending', () => {
    it('writes a mail as text and HTML, whose links carry e-mail, account and token', async () => {
      const email = fresh();
      await send([email.toUpperCase()], ['members', 'Developers']);
      const link = await mailed(email);
      expect(link).toMatchObject({ email, accountId: acme });
      expect(link.token).toMatch(/^[\w-]{43}$/);
      const [first] = mail.to(email);
      expect(first?.from).toBe('no-reply@hub.test');
      expect(first?.source).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
      expect(first?.source).toContain('Subject: Join Acme on Warren');
      expect(linkIn(first!, 'signup-user')).toEqual({ email, account: acme, token: link.token });
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      expect(await row(email)).toMatchObject({ groupName: 'Members', accountName: 'Acme', deliveryProblem: '' });
    });

    it('tells of the invitation and of its mail', async () => {
      const { invitations } = await send([fresh()]);
      const id = invitations[0]?.id;
      const events = () =>
        heard.filter(({ kind }) => kind.case === 'invitationChanged' && kind.value.invitationId === id);
      await until(() => events().length === 2);
      expect(events().every(({ accountId }) => accountId === acme)).toBe(true);
    });

    it('keeps the token nowhere: not in PostgreSQL, not in Redis', async () => {
      const email = fresh();
      mail.refusal = { code: 451, text: 'later' };
      await send([email]);
      await until(async () => (await row(email))?.delivery === Delivery.FAILING);
      const dump = await redisDump(redis.url);
      expect(dump).toContain('invitation-mails');
      mail.refusal = undefined;
      const { token } = await mailed(email);
      expect(dump + (await redisDump(redis.url))).not.toContain(token);
      expect(dump).not.toContain(email);
      expect(JSON.stringify(await source.query('SELECT * FROM invitations'))).not.toContain(token);
    });

    it('joins the group with the widest role, the first named on a tie', async () => {
      const [one, other] = [fresh(), fresh()];
      await send([one], ['Members', 'Admins', 'Developers']);
      await send([other], ['Developers', 'Members']);
      expect(await row(one)).toMatchObject({ groupName: 'Admins', role: Role.ADMIN });
      expect(await row(other)).toMatchObject({ groupName: 'Developers' });
    });

    it('refuses users by name, and then invites nobody', async () => {
      const email = fresh();
      await expect(send([email, 'Member@acme.test', 'owner@zebra.test'])).rejects.toMatchObject({
        code: 'already_exists',
        problems: [
          { field: 'emails.1', message: expect.stringContaining('member@acme.test is already a member') },
          { field: 'emails.2', message: expect.stringContaining('owner@zebra.test belongs to another account') },
        ],
      });
      expect(await row(email)).toBeUndefined();
    });

    it.each([
      [[], ['Members'], 'invalid_argument'],
      [Array.from({ length: 11 }, (_, n) => `n${n}@else.test`), ['Members'], 'invalid_argument'],
      [['a@b.c', 'A@b.c'], ['Members'], 'invalid_argument'],
      [['no-address'], ['Members'], 'invalid_argument'],
      [['x@else.test'], [], 'invalid_argument'],
      [['x@else.test'], Array.from({ length: 11 }, () => 'Members'), 'invalid_argument'],
      [['x@else.test'], ['Nobody'], 'not_found'],
      [['x@else.test'], ['Account Owners'], 'invalid_argument'],
    ])('refuses %j into %j', async (emails, groups, code) => {
      await expect(send(emails, groups)).rejects.toMatchObject({ code });
    });

    it('replaces the pending invitation of the same e-mail, also at the same time', async () => {
      const email = fresh();
      await send([email]);
      const old = await mailed(email);
      await Promise.all([send([email], ['Admins']), send([email], ['Admins'])]);
      const rows = await source.query('SELECT FROM invitations WHERE email = $1', [email]);
      expect(rows).toHaveLength(1);
      await expect(acceptance.lookUp(gateway, { link: old })).rejects.toMatchObject({ code: 'not_found' });
      const again = await mailed(email, 2);
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      expect(again.token).not.toBe(old.token);
    });

    it('of SuperAdmins is for SuperAdmins', async () => {
      const [{ id: operator }] = await source.query('SELECT id FROM accounts WHERE operator');
      const admin = user(operator, Role.ADMIN, true);
      const refused = send([fresh()], ['SuperAdmins'], admin, operator);
      await expect(refused).rejects.toMatchObject({ code: 'permission_denied' });
      const superAdmin = user(operator, Role.SUPER_ADMIN, true);
      await expect(send([fresh()], ['SuperAdmins'], superAdmin, operator)).resolves.toBeDefined();
    });
  });

  describe('a mail server', () => {
    it('that refuses first and works later delays mails and loses none', async () => {
      mail.refusal = { code: 450, text: 'Greylisted,\r\ncome again' };
      const emails = Array.from({ length: 10 }, fresh);
      await send(emails);
      await until(async () => (await row(emails[9]!))?.delivery === Delivery.FAILING);
      expect(await row(emails[9]!)).toMatchObject({
        deliveryProblem: expect.stringMatching(/^The mail server says: 450 Greylisted/),
      });
      mail.refusal = undefined;
      await until(() => emails.every((email) => mail.to(email).length === 1), 20_000);
      await until(async () => (await list()).invitations!.every(({ delivery }) => delivery === Delivery.SENT));
      expect((await row(emails[0]!))?.deliveryProblem).toBe('');
    }, 40_000);

    it('that is away is waited for', async () => {
      const email = fresh();
      await mail.stop();
      await send([email]);
      await until(async () => (await row(email))?.deliveryProblem === 'The mail server does not answer.');
      await mail.start();
      await mailed(email);
    }, 40_000);
  });

  it('are mailed though Redis lost what it had', async () => {
    const email = fresh();
    mail.refusal = { code: 450, text: 'later' };
    await send([email]);
    await until(async () => (await row(email))?.delivery === Delivery.FAILING);
    await redis.kill();
    await redis.start();
    expect(await redisDump(redis.url)).not.toContain('mailing');
    mail.refusal = undefined;
    // As after half a minute.
    await source.query(`UPDATE invitations SET enqueued_at = now() - interval '31 seconds' WHERE email = $1`, [email]);
    await mailed(email);
  }, 40_000);

  it('are mailed though Redis was away', async () => {
    const email = fresh();
    await redis.kill();
    await send([email]);
    expect(await row(email)).toMatchObject({ delivery: Delivery.QUEUED });
    await redis.start();
    await mailed(email);
  }, 40_000);

  describe('resending', () => {
    it('makes a new link, and voids the old one at once', async () => {
      const email = fresh();
      const { invitations } = await send([email]);
      const old = await mailed(email);
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      await source.query(`UPDATE invitations SET expires = now() - interval '1 day' WHERE email = $1`, [email]);
      await service.resend(owner, { id: invitations[0]!.id! });
      await expect(accept(old)).rejects.toMatchObject({ code: 'not_found' });
      const link = await mailed(email, 2);
      expect((await accept(link)).accountId).toBe(acme);
    });
  });

  describe('cancelling', () => {
    it('voids the link, and needs the e-mail', async () => {
      const email = fresh();
      const { invitations } = await send([email]);
      const id = invitations[0]!.id!;
      const link = await mailed(email);
      await expect(service.cancel(owner, { id, email: 'other@else.test' })).rejects.toMatchObject({
        code: 'not_found',
      });
      await service.cancel(owner, { id, email: email.toUpperCase() });
      await expect(accept(link)).rejects.toMatchObject({ code: 'not_found' });
      await until(() => heard.some(({ kind }) => kind.case === 'invitationDeleted' && kind.value.invitationId === id));
    });

    it('stops a mail that still waits', async () => {
      const email = fresh();
      mail.refusal = { code: 450, text: 'later' };
      const { invitations } = await send([email]);
      await until(async () => (await row(email))?.delivery === Delivery.FAILING);
      await service.cancel(owner, { id: invitations[0]!.id!, email });
      const refused = mail.refused;
      const other = fresh();
      mail.refusal = undefined;
      await send([other]);
      await mailed(other);
      await until(async () => !(await redisDump(redis.url)).includes(invitations[0]!.id!), 20_000);
      expect([mail.to(email), mail.refused]).toEqual([[], refused]);
    }, 30_000);
  });

  describe("another account's", () => {
    it.each([Role.OWNER, Role.ADMIN])('are not there (role %s)', async (role) => {
      const email = fresh();
      const { invitations } = await send([email]);
      const [id, stranger] = [invitations[0]!.id!, user(zebra, role)];
      expect((await list(stranger)).total).toBe(0);
      for (const refused of [
        list(stranger, { accountId: acme }),
        send([fresh()], ['Members'], stranger),
        service.resend(stranger, { id }),
        service.cancel(stranger, { id, email }),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'not_found' });
      expect(await row(email)).toBeDefined();
    });

    it('and no account are for Members', async () => {
      const member = user(acme, Role.MEMBER);
      const id = '01997b5c-0000-7000-8000-00000000000a';
      for (const refused of [
        list(member),
        send([fresh()], ['Members'], member),
        service.resend(member, { id }),
        service.cancel(member, { id, email: 'a@b.c' }),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'permission_denied' });
    });

    it('are listed for operators, and for the account they ask for', async () => {
      await send([fresh()], ['Members'], user(zebra, Role.OWNER), zebra);
      const operator = user('0199f000-0000-7000-8000-0000000000ff', Role.ADMIN, true);
      expect((await list(operator)).total).toBeGreaterThan((await list()).total ?? 0);
      expect((await list(operator, { accountId: zebra })).total).toBe(1);
      expect((await list(owner, {}, 2)).invitations).toHaveLength(2);
    });

    it('group has none of this account', async () => {
      const [{ id: groupId }] = await source.query(`SELECT id FROM groups WHERE account_id = $1 AND name = 'Admins'`, [
        acme,
      ]);
      expect((await list(owner, { groupId })).invitations?.every(({ groupName }) => groupName === 'Admins')).toBe(true);
      expect(await list(user(zebra, Role.OWNER), { groupId })).toMatchObject({ total: 0 });
    });
  });

  it('of SuperAdmins and Owners are not an Admin’s to change', async () => {
    const email = fresh();
    const id = await app.get(Outbox).transaction(async (manager, emit) => {
      const { Invitations } = await import('../src/invitations/invitations.ts');
      const [{ id: group }] = await manager.query(`SELECT id FROM groups WHERE account_id = $1 AND role = 'Owner'`, [
        acme,
      ]);
      return app.get(Invitations).invite(manager, emit, { accountId: acme, groupIds: [group], email, invitedBy: '' });
    });
    const admin = user(acme, Role.ADMIN);
    await expect(service.resend(admin, { id })).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(service.cancel(admin, { id, email })).rejects.toMatchObject({ code: 'permission_denied' });
    await service.cancel(owner, { id, email });
  });

  describe('accepting', () => {
    it('makes the user, in the group, with the name of the sign-up, and removes the invitation', async () => {
      const email = fresh();
      await send([email], ['Admins']);
      const link = await mailed(email);
      expect(await app.get(MembersService).resolve(gateway, { email, name: '' })).toHaveProperty('invitation');
      expect(await acceptance.lookUp(gateway, { link })).toMatchObject({
        invitation: { accountName: 'Acme' },
        name: '',
      });
      await acceptance.signUp(gateway, { link, name: ' Gwen\u0007Guest ' });
      const { userId } = await accept(link, email.toUpperCase());
      const member = await app.get(MembersService).resolve(gateway, { email, name: '' });
      expect(member).toMatchObject({ user: { id: userId, name: 'Gwen Guest', groupName: 'Admins', accountId: acme } });
      expect(member).not.toHaveProperty('invitation');
      expect(await row(email)).toBeUndefined();
      await until(() => heard.some(({ kind }) => kind.case === 'userChanged' && kind.value.userId === userId));
    });

    it('is for the person who was invited', async () => {
      const email = fresh();
      await send([email]);
      const link = await mailed(email);
      await expect(accept(link, 'member@acme.test')).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(accept(link, '')).rejects.toMatchObject({ code: 'permission_denied' });
      for (const wrong of [{ token: 'x' }, { accountId: zebra }, { accountId: 'x' }])
        await expect(accept({ ...link, ...wrong })).rejects.toMatchObject({ code: 'not_found' });
      expect((await accept(link)).accountId).toBe(acme);
    });

    it('works once, however often it is tried at the same time', async () => {
      const email = fresh();
      await send([email]);
      const link = await mailed(email);
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => accept(link)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused.every(({ reason }) => (reason as { code: string }).code === 'not_found')).toBe(true);
      expect(await source.query('SELECT FROM users WHERE email = $1', [email])).toHaveLength(1);
    });

    it('works within seven days of the mail', async () => {
      const email = fresh();
      await send([email]);
      const link = await mailed(email);
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      const [{ days }] = await source.query(
        `SELECT extract(epoch FROM expires - now()) / 86400 AS days FROM invitations WHERE email = $1`,
        [email],
      );
      expect(Number(days)).toBeCloseTo(7, 2);
      await source.query(`UPDATE invitations SET expires = now() WHERE email = $1`, [email]);
      await expect(accept(link)).rejects.toMatchObject({ code: 'not_found' });
      await expect(acceptance.signUp(gateway, { link, name: 'Gwen' })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is refused to who is a user of another account meanwhile', async () => {
      const email = fresh();
      await send([email]);
      await send([email], ['Members'], user(zebra, Role.OWNER), zebra);
      await until(() => mail.to(email).length === 2);
      const links = mail.to(email).map((letter) => linkIn(letter));
      const [one, other] = links.map(({ email: address = '', account = '', token = '' }) => ({
        ...{ email: address, accountId: account, token },
      }));
      await accept(one!);
      await expect(accept(other!)).rejects.toMatchObject({ code: 'already_exists' });
    });

    it('and looking up are asked for by the gateway alone', async () => {
      const link = { email: 'a@b.c', accountId: acme, token: 'x' };
      for (const caller of [owner, serviceCaller('devices')]) {
        const calls = [
          acceptance.lookUp(caller, { link }),
          acceptance.signUp(caller, { link, name: 'x' }),
          acceptance.accept(caller, { link, signedInEmail: 'a@b.c', signedInName: '' }),
        ];
        for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'permission_denied' });
      }
    });
  });
});

/** Everything in a Redis, as text. */
async function redisDump(url: string): Promise<string> {
  const { Redis } = await import('ioredis');
  const client = new Redis(url);
  try {
    const keys = await client.keys('*');
    const values = await Promise.all(
      keys.map(async (key) => {
        const type = await client.type(key);
        if (type === 'hash') return client.hgetall(key);
        if (type === 'zset') return client.zrange(key, 0, -1);
        if (type === 'list') return client.lrange(key, 0, -1);
        if (type === 'stream') return client.xrange(key, '-', '+');
        return type === 'string' ? client.get(key) : type;
      }),
    );
    return JSON.stringify([keys, values]);
  } finally {
    client.disconnect();
  }
}
