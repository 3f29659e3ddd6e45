import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { Delivery } from '@warren/proto/tenancy/v1/invitations';
import { MembersService } from '../src/members/members.service.ts';
import { user } from './callers.ts';
import { linkIn } from './mail.server.ts';
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

    it('is refused to who is a user of another account meanwhile', async () => {
      const email = fresh();
      await send([email]);
      await send([email], ['Members'], user(w.zebra, Role.OWNER), w.zebra);
      await until(() => w.mail.to(email).length === 2);
      const links = w.mail.to(email).map((letter) => linkIn(letter));
      const [one, other] = links.map(({ email: address = '', account = '', token = '' }) => ({
        ...{ email: address, accountId: account, token },
      }));
      await accept(one!);
      await expect(accept(other!)).rejects.toMatchObject({ code: 'already_exists' });
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
