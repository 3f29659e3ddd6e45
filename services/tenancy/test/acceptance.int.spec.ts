import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { Delivery } from '@warren/proto/tenancy/v1/invitations';
import { Ownership } from '../src/lifecycle/ownership.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { user } from './callers.ts';
import { linkIn } from './mail.link.ts';
import { until } from '@warren/infra/until';
import { fresh, InvitationWorld } from './invitation.world.ts';

const gateway = serviceCaller('gateway');

describe('an invitation', () => {
  const w = new InvitationWorld();
  const { send, row, mailed, accept } = w;

  beforeAll(() => w.start());
  beforeEach(() => w.calm());
  afterAll(() => w.stop());

  describe('accepting', () => {
    it('makes the user, in the group, with the name of the sign-up, and removes the invitation', async () => {
      const email = fresh();
      await send([email], ['Admins']);
      const link = await mailed(email);
      expect(await w.app.get(MembersService).resolve(gateway, { email, name: '' })).toHaveProperty('invitation');
      expect(await w.acceptance.lookUp(gateway, { link })).toMatchObject({
        invitation: { accountName: 'Acme' },
        name: '',
      });
      await w.acceptance.signUp(gateway, { link, name: ' Gwen\u0007Guest ' });
      const { userId } = await accept(link, email.toUpperCase());
      const member = await w.app.get(MembersService).resolve(gateway, { email, name: '' });
      expect(member).toMatchObject({
        user: { id: userId, name: 'Gwen Guest', groupName: 'Admins', accountId: w.acme },
      });
      expect(member).not.toHaveProperty('invitation');
      expect(await row(email)).toBeUndefined();
      await until(() => w.heard.some(({ kind }) => kind.case === 'userChanged' && kind.value.userId === userId));
    });

    it('is for the person who was invited', async () => {
      const email = fresh();
      await send([email]);
      const link = await mailed(email);
      await expect(accept(link, 'member@acme.test')).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(accept(link, '')).rejects.toMatchObject({ code: 'permission_denied' });
      for (const wrong of [{ token: 'x' }, { accountId: w.zebra }, { accountId: 'x' }])
        await expect(accept({ ...link, ...wrong })).rejects.toMatchObject({ code: 'not_found' });
      expect((await accept(link)).accountId).toBe(w.acme);
    });

    it('works once, however often it is tried at the same time', async () => {
      const email = fresh();
      await send([email]);
      const link = await mailed(email);
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => accept(link)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused.every(({ reason }) => (reason as { code: string }).code === 'not_found')).toBe(true);
      expect(await w.source.query('SELECT FROM users WHERE email = $1', [email])).toHaveLength(1);
    });

    it('works within seven days of the mail', async () => {
      const email = fresh();
      await send([email]);
      const link = await mailed(email);
      await until(async () => (await row(email))?.delivery === Delivery.SENT);
      const [{ days }] = await w.source.query(
        `SELECT extract(epoch FROM expires - now()) / 86400 AS days FROM invitations WHERE email = $1`,
        [email],
      );
      expect(Number(days)).toBeCloseTo(7, 2);
      await w.source.query(`UPDATE invitations SET expires = now() WHERE email = $1`, [email]);
      await expect(accept(link)).rejects.toMatchObject({ code: 'not_found' });
      await expect(w.acceptance.signUp(gateway, { link, name: 'Gwen' })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('voids those of other accounts, which stay listed there with the reason', async () => {
      const email = fresh();
      await send([email]);
      await send([email], ['Members'], user(w.zebra, Role.OWNER), w.zebra);
      await until(() => w.mail.to(email).length === 2);
      const links = w.mail.to(email).map((letter) => linkIn(letter));
      const [one, other] = links.map(({ email: address = '', account = '', token = '' }) => ({
        email: address,
        accountId: account,
        token,
      }));
      expect((await w.acceptance.listOf(gateway, { email })).invitations).toHaveLength(2);
      const results = await Promise.allSettled([accept(one!), accept(other!)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = results.find((result) => result.status === 'rejected');
      expect(refused?.reason).toMatchObject({ code: 'not_found' });
      const [left] = await w.source.query(
        'SELECT i.id, i.account_id, joined_elsewhere, token_hash FROM invitations i WHERE email = $1',
        [email],
      );
      expect(left).toMatchObject({ joined_elsewhere: true, token_hash: null });
      const inviter = user(left.account_id, Role.OWNER);
      expect((await w.list(inviter)).invitations).toContainEqual(
        expect.objectContaining({ id: left.id, joinedElsewhere: true }),
      );
      expect((await w.acceptance.listOf(gateway, { email })).invitations).toEqual([]);
      await expect(w.service.resend(inviter, { id: left.id })).rejects.toMatchObject({ code: 'already_exists' });
      await w.source.query('DELETE FROM users WHERE email = $1', [email]);
      const { invitation } = await w.service.resend(inviter, { id: left.id });
      expect(invitation).toMatchObject({ joinedElsewhere: false });
    });

    it('needs no link from a person whose session vouches for the address', async () => {
      const email = fresh();
      await send([email]);
      const bare = { email, accountId: w.acme, token: '' };
      await expect(accept(bare, fresh())).rejects.toMatchObject({ code: 'permission_denied' });
      for (const look of [
        w.acceptance.lookUp(gateway, { link: bare }),
        w.acceptance.signUp(gateway, { link: bare, name: 'X' }),
      ])
        await expect(look).rejects.toMatchObject({ code: 'not_found' });
      await expect(accept({ ...bare, accountId: w.zebra })).rejects.toMatchObject({ code: 'not_found' });
      expect((await w.acceptance.listOf(gateway, { email: email.toUpperCase() })).invitations).toMatchObject([
        { invitation: { accountId: w.acme, email } },
      ]);
      expect(await accept(bare)).toMatchObject({ accountId: w.acme });
    });

    it('binds the user to the identity that accepted', async () => {
      const email = fresh();
      await send([email]);
      const identity = { provider: 'work', subject: 's1' };
      const link = { email, accountId: w.acme, token: '' };
      await w.acceptance.accept(gateway, { link, signedInEmail: email, signedInName: '', identity });
      const members = w.app.get(MembersService);
      expect(await members.resolve(gateway, { email, name: '', identity })).toHaveProperty('user.provider', 'work');
      const other = { provider: 'work', subject: 's2' };
      expect(await members.resolve(gateway, { email, name: '', identity: other })).toEqual({ identityMismatch: true });
    });

    it('of a disabled account says so, and works when it is enabled', async () => {
      const email = fresh();
      await send([email]);
      const link = await mailed(email);
      const set = (status: string) => w.source.query('UPDATE accounts SET status = $2 WHERE id = $1', [w.acme, status]);
      await set('Inactive');
      await expect(accept(link)).rejects.toMatchObject({
        code: 'failed_precondition',
        subject: 'Account disabled',
        message: 'Acme takes no new users now. Ask the person who invited you.',
      });
      await set('Active');
      await accept(link);
    });

    it('to own the account makes the owner before an admin, and not sooner', async () => {
      const email = fresh();
      const admin = user(w.acme, Role.SUPER_ADMIN, true);
      const group = async (who: string) =>
        (
          await w.source.query('SELECT g.name FROM users u JOIN groups g ON g.id = u.group_id WHERE u.email = $1', [
            who,
          ])
        )[0]?.name;
      await w.app.get(Ownership).assign(admin, { accountId: w.acme, email, newOwner: false });
      expect(await group('owner@acme.test')).toBe('Account Owners');
      await accept(await mailed(email));
      expect([await group('owner@acme.test'), await group(email)]).toEqual(['Admins', 'Account Owners']);
    });

    it('and looking up are asked for by the gateway alone', async () => {
      const link = { email: 'a@b.c', accountId: w.acme, token: 'x' };
      for (const caller of [w.owner, serviceCaller('devices')]) {
        const calls = [
          w.acceptance.lookUp(caller, { link }),
          w.acceptance.signUp(caller, { link, name: 'x' }),
          w.acceptance.accept(caller, { link, signedInEmail: 'a@b.c', signedInName: '' }),
        ];
        for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'permission_denied' });
      }
    });
  });
});
