import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { Delivery } from '@warren/proto/tenancy/v1/invitations';
import { user } from './callers.ts';
import { linkIn } from './mail.link.ts';
import { until } from '@warren/infra/until';
import { fresh, InvitationWorld, redisDump } from './invitation.world.ts';

const gateway = serviceCaller('gateway');

describe('invitations', () => {
  const w = new InvitationWorld();
  const { send, list, row, mailed, accept } = w;

  beforeAll(() => w.start());
  beforeEach(() => w.calm());
  afterAll(() => w.stop());

  describe('sending', () => {
    it('writes a mail as text and HTML, whose links carry e-mail, account and token', async () => {
      const email = fresh();
      await send([email.toUpperCase()], ['members', 'Developers']);
      const link = await mailed(email);
      expect(link).toMatchObject({ email, accountId: w.acme });
      expect(link.token).toMatch(/^[\w-]{43}$/);
      const [first] = w.mail.to(email);
      expect(first?.from).toBe('no-reply@hub.test');
      expect(first?.source).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
      expect(first?.source).toContain('Subject: Join Acme on Warren');
      expect(linkIn(first!, 'signup-user')).toEqual({ email, account: w.acme, token: link.token });
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      expect(await row(email)).toMatchObject({ groupName: 'Members', accountName: 'Acme', deliveryProblem: '' });
    });

    it('emits events of the invitation and of its mail', async () => {
      const { invitations } = await send([fresh()]);
      const id = invitations[0]?.id;
      const events = () =>
        w.heard.filter(({ kind }) => kind.case === 'invitationChanged' && kind.value.invitationId === id);
      await until(() => events().length === 2);
      expect(events().every(({ accountId }) => accountId === w.acme)).toBe(true);
    });

    it('keeps the token nowhere: not in PostgreSQL, not in Redis', async () => {
      const email = fresh();
      w.mail.refusal = { code: 451, text: 'later' };
      await send([email]);
      await until(async () => (await row(email))?.delivery === Delivery.FAILING);
      const dump = await redisDump(w.redis.url);
      expect(dump).toContain('invitation-mails');
      w.mail.refusal = undefined;
      const { token } = await mailed(email);
      expect(dump + (await redisDump(w.redis.url))).not.toContain(token);
      expect(dump).not.toContain(email);
      expect(JSON.stringify(await w.source.query('SELECT * FROM invitations'))).not.toContain(token);
    });

    it('joins the group with the widest role, the first named on a tie', async () => {
      const [one, other] = [fresh(), fresh()];
      await send([one], ['Members', 'Admins', 'Developers']);
      await send([other], ['Developers', 'Members']);
      expect(await row(one)).toMatchObject({ groupName: 'Admins', role: Role.ADMIN });
      expect(await row(other)).toMatchObject({ groupName: 'Developers' });
    });

    it('refuses users by name, and then sends no invitation', async () => {
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
      const rows = await w.source.query('SELECT FROM invitations WHERE email = $1', [email]);
      expect(rows).toHaveLength(1);
      await expect(w.acceptance.lookUp(gateway, { link: old })).rejects.toMatchObject({ code: 'not_found' });
      const again = await mailed(email, 2);
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      expect(again.token).not.toBe(old.token);
    });

    it('of SuperAdmins is for SuperAdmins', async () => {
      const [{ id: operator }] = await w.source.query('SELECT id FROM accounts WHERE operator');
      const admin = user(operator, Role.ADMIN, true);
      const refused = send([fresh()], ['SuperAdmins'], admin, operator);
      await expect(refused).rejects.toMatchObject({ code: 'permission_denied' });
      const superAdmin = user(operator, Role.SUPER_ADMIN, true);
      await expect(send([fresh()], ['SuperAdmins'], superAdmin, operator)).resolves.toBeDefined();
    });
  });

  describe('resending', () => {
    it('makes a new link, and voids the old one at once', async () => {
      const email = fresh();
      const { invitations } = await send([email]);
      const old = await mailed(email);
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      await w.source.query(`UPDATE invitations SET expires = now() - interval '1 day' WHERE email = $1`, [email]);
      await w.service.resend(w.owner, { id: invitations[0]!.id! });
      await expect(accept(old)).rejects.toMatchObject({ code: 'not_found' });
      const link = await mailed(email, 2);
      expect((await accept(link)).accountId).toBe(w.acme);
    });
  });

  describe('cancelling', () => {
    it('voids the link, and needs the e-mail', async () => {
      const email = fresh();
      const { invitations } = await send([email]);
      const id = invitations[0]!.id!;
      const link = await mailed(email);
      await expect(w.service.cancel(w.owner, { id, email: 'other@else.test' })).rejects.toMatchObject({
        code: 'not_found',
      });
      await w.service.cancel(w.owner, { id, email: email.toUpperCase() });
      await expect(accept(link)).rejects.toMatchObject({ code: 'not_found' });
      await until(() =>
        w.heard.some(({ kind }) => kind.case === 'invitationDeleted' && kind.value.invitationId === id),
      );
    });

    it('stops a mail that still waits', async () => {
      const email = fresh();
      w.mail.refusal = { code: 450, text: 'later' };
      const { invitations } = await send([email]);
      await until(async () => (await row(email))?.delivery === Delivery.FAILING);
      await w.service.cancel(w.owner, { id: invitations[0]!.id!, email });
      const refused = w.mail.refused;
      const other = fresh();
      w.mail.refusal = undefined;
      await send([other]);
      await mailed(other);
      await until(async () => !(await redisDump(w.redis.url)).includes(invitations[0]!.id!), 20_000);
      expect([w.mail.to(email), w.mail.refused]).toEqual([[], refused]);
    });
  });

  describe("another account's", () => {
    it.each([Role.OWNER, Role.ADMIN])('are not there (role %s)', async (role) => {
      const email = fresh();
      const { invitations } = await send([email]);
      const [id, stranger] = [invitations[0]!.id!, user(w.zebra, role)];
      expect((await list(stranger)).total).toBe(0);
      for (const refused of [
        () => list(stranger, { accountId: w.acme }),
        () => send([fresh()], ['Members'], stranger),
        () => w.service.resend(stranger, { id }),
        () => w.service.cancel(stranger, { id, email }),
      ])
        await expect(refused()).rejects.toMatchObject({ code: 'not_found' });
      expect(await row(email)).toBeDefined();
    });

    it('and no account are for Members', async () => {
      const member = user(w.acme, Role.MEMBER);
      const email = fresh();
      const { invitations } = await send([email]);
      const id = invitations[0]!.id!;
      for (const refused of [
        () => list(member),
        () => send([fresh()], ['Members'], member),
        () => w.service.resend(member, { id }),
        () => w.service.cancel(member, { id, email }),
      ])
        await expect(refused()).rejects.toMatchObject({ code: 'permission_denied' });
    });

    it('are listed for operators, and for the account they ask for', async () => {
      await send([fresh()], ['Members'], user(w.zebra, Role.OWNER), w.zebra);
      const operator = user('0199f000-0000-7000-8000-0000000000ff', Role.ADMIN, true);
      expect((await list(operator)).total).toBeGreaterThan((await list()).total ?? 0);
      expect((await list(operator, { accountId: w.zebra })).total).toBe(1);
      expect((await list(w.owner, {}, 2)).invitations).toHaveLength(2);
    });

    it('group has none of this account', async () => {
      const [{ id: groupId }] = await w.source.query(
        `SELECT id FROM groups WHERE account_id = $1 AND name = 'Admins'`,
        [w.acme],
      );
      expect((await list(w.owner, { groupId })).invitations?.every(({ groupName }) => groupName === 'Admins')).toBe(
        true,
      );
      expect(await list(user(w.zebra, Role.OWNER), { groupId })).toMatchObject({ total: 0 });
    });
  });

  it('of SuperAdmins and Owners are not an Admin’s to change', async () => {
    const email = fresh();
    const id = await w.app.get(Outbox).transaction(async (manager, emit) => {
      const { Invitations } = await import('../src/invitations/invitations.ts');
      const [{ id: group }] = await manager.query(`SELECT id FROM groups WHERE account_id = $1 AND role = 'Owner'`, [
        w.acme,
      ]);
      return w.app
        .get(Invitations)
        .invite(manager, emit, { accountId: w.acme, groupIds: [group], email, invitedBy: '' });
    });
    const admin = user(w.acme, Role.ADMIN);
    await expect(w.service.resend(admin, { id })).rejects.toMatchObject({ code: 'permission_denied' });
    await expect(w.service.cancel(admin, { id, email })).rejects.toMatchObject({ code: 'permission_denied' });
    await w.service.cancel(w.owner, { id, email });
  });
});
