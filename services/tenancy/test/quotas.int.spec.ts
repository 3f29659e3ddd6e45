import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { until } from '@warren/infra/until';
import { accountsNearQuota } from '@warren/platform/quotas/metrics';
import type { QuotaCensus } from '@warren/platform/quotas/quota.census';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import { QuotaChangeSchema, type QuotaChange } from '@warren/proto/tenancy/v1/tenancy';
import { AccountsService } from '../src/accounts/accounts.service.ts';
import { Ownership } from '../src/lifecycle/ownership.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { censusOf } from '../src/quotas/quotas.module.ts';
import { QuotasService } from '../src/quotas/quotas.service.ts';
import { user } from './callers.ts';
import { fresh, InvitationWorld } from './invitation.world.ts';

const NOBODY = '0199f000-0000-7000-8000-00000000dead';
const to = (name: string, limit: number | 'unlimited' | 'default'): QuotaChange =>
  create(QuotaChangeSchema, {
    name,
    to: typeof limit === 'number' ? { case: 'limit', value: BigInt(limit) } : { case: limit, value: true },
  });

describe('quotas of accounts', () => {
  const world = new InvitationWorld();
  let quotas: QuotasService;
  let superAdmin: Caller;
  let operator: string;

  beforeAll(async () => {
    await world.start({ QUOTA_USERS: '50', QUOTA_SOCKETS: 'unlimited' });
    quotas = world.app.get(QuotasService);
    const [row] = await world.source.query<{ id: string }[]>('SELECT id FROM accounts WHERE operator');
    operator = row?.id ?? '';
    superAdmin = user(operator, Role.SUPER_ADMIN, true);
  });

  afterAll(() => world.stop());

  beforeEach(async () => {
    await world.source.query(`UPDATE accounts SET quotas = '{}'`);
    await world.source.query('DELETE FROM invitations');
    world.calm();
  });

  const set = (...changes: QuotaChange[]) => quotas.set(superAdmin, { accountId: world.acme, changes });
  const quotaOf = async (name: string, caller = world.owner) =>
    (await quotas.get(caller, { accountId: world.acme })).quotas.find((quota) => quota.name === name);
  const changes = () => world.heard.filter((event) => event.kind.case === 'audit' && event.accountId === world.zebra);

  describe('reading them', () => {
    it('shows defaults, what tenancy counts, and what is unlimited', async () => {
      await world.send([fresh()]);
      expect(await quotaOf('users')).toEqual({ name: 'users', limit: 50n, defaultLimit: 50n, own: false, used: 3n });
      expect(await quotaOf('sockets')).toEqual({ name: 'sockets', own: false });
    });

    it("is for the account's owners and admins and for operators, and not another account's", async () => {
      const get = (caller: Caller) => quotas.get(caller, { accountId: world.acme });
      for (const caller of [user(world.acme, Role.ADMIN), user(operator, Role.MEMBER, true)])
        expect((await get(caller)).quotas.length).toBeGreaterThan(4);
      await expect(get(user(world.acme, Role.MEMBER))).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(get(user(world.zebra, Role.OWNER))).rejects.toMatchObject({ code: 'not_found' });
      await expect(get(serviceCaller('gateway'))).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(quotas.get(superAdmin, { accountId: NOBODY })).rejects.toMatchObject({ code: 'not_found' });
    });

    it('shows none of the operator account', async () => {
      expect(await quotas.get(superAdmin, { accountId: operator })).toEqual({ quotas: [] });
    });
  });

  describe('setting them', () => {
    it('replaces the default, until it is the default again', async () => {
      await set(to('users', 7), to('devices', 'unlimited'));
      expect(await quotaOf('users')).toMatchObject({ limit: 7n, defaultLimit: 50n, own: true });
      expect(await quotaOf('devices')).toEqual({ name: 'devices', defaultLimit: 10_000n, own: true });
      await set(to('users', 'default'));
      expect(await quotaOf('users')).toMatchObject({ limit: 50n, own: false });
      expect(await quotaOf('devices')).toMatchObject({ own: true });
    });

    it('emits one event with the quotas, the changes and their actor', async () => {
      const setOfZebra = (...changes: QuotaChange[]) => quotas.set(superAdmin, { accountId: world.zebra, changes });
      await setOfZebra(to('users', 7), to('devices', 'unlimited'));
      await until(() => changes().length === 1);
      expect(changes()[0]).toMatchObject({
        actor: '0199f000-0000-7000-8000-000000000001',
        kind: {
          value: {
            action: 'account.set_quotas',
            actor: { email: 'someone@example.com' },
            target: { kind: 'account', id: world.zebra, name: 'Zebra' },
            changes: [
              { field: 'devices', before: '"default"', after: '"unlimited"' },
              { field: 'users', before: '"default"', after: '7' },
            ],
          },
        },
      });
      const told = world.heard.findLast(
        ({ accountId, kind }) => accountId === world.zebra && kind.case === 'accountChanged',
      )?.kind.value;
      expect(told).toMatchObject({ ownQuotas: { quotas: [{ name: 'users', limit: 7n }, { name: 'devices' }] } });
      await setOfZebra(to('users', 7));
      await setOfZebra(to('users', 8));
      await until(() => changes().length === 2);
      expect(changes()[1]?.kind.value).toMatchObject({ changes: [{ field: 'users', before: '7', after: '8' }] });
    });

    it('is for SuperAdmins', async () => {
      const attempt = (caller: Caller) => quotas.set(caller, { accountId: world.acme, changes: [to('users', 7)] });
      for (const caller of [world.owner, user(world.acme, Role.ADMIN), user(operator, Role.ADMIN, true)])
        await expect(attempt(caller)).rejects.toMatchObject({ code: 'permission_denied' });
      await expect(attempt(user(world.zebra, Role.OWNER))).rejects.toMatchObject({ code: 'not_found' });
      await expect(attempt(serviceCaller('gateway'))).rejects.toMatchObject({ code: 'permission_denied' });
      expect(await quotaOf('users')).toMatchObject({ own: false });
    });

    it('refuses names and limits that do not exist, and changes nothing then', async () => {
      await expect(set(to('devices', 5), to('users', 0))).rejects.toMatchObject({
        code: 'invalid_argument',
        message: 'expected a whole number from 1 to 1000000, or unlimited.',
      });
      await expect(set(to('bandwidth', 5))).rejects.toMatchObject({
        code: 'invalid_argument',
        problems: [{ field: 'quotas', value: '"bandwidth"' }],
      });
      await expect(set(create(QuotaChangeSchema, { name: 'users' }))).rejects.toMatchObject({
        code: 'invalid_argument',
      });
      expect(await quotaOf('devices')).toMatchObject({ own: false });
    });

    it('is not possible for the operator account', async () => {
      const attempt = quotas.set(superAdmin, { accountId: operator, changes: [to('users', 7)] });
      await expect(attempt).rejects.toMatchObject({ code: 'failed_precondition' });
    });
  });

  describe('of a signed-in person', () => {
    const resolve = (email: string) =>
      world.app.get(MembersService).resolve(serviceCaller('gateway'), { email, name: '', bind: false });

    it('come with who it is: all of them, and none in the operator account', async () => {
      await set(to('api_calls', 600));
      const { quotas: effective } = await resolve('owner@acme.test');
      expect(effective?.quotas).toEqual(
        expect.arrayContaining([
          { name: 'api_calls', limit: 600n },
          { name: 'users', limit: 50n },
          { name: 'sockets' },
        ]),
      );
      expect((await resolve('boss@operator.test')).quotas).toBeUndefined();
    });

    it('come with the account for the devices service alone', async () => {
      await set(to('devices', 3));
      const accounts = world.app.get(AccountsService);
      const { account } = await accounts.get(serviceCaller('devices'), { id: world.acme });
      expect(account.ownQuotas).toEqual({ quotas: [{ name: 'devices', limit: 3n }] });
      expect((await accounts.get(world.owner, { id: world.acme })).account.ownQuotas).toBeUndefined();
    });
  });

  describe('of users', () => {
    const message =
      'This account may have 3 users and pending invitations. Delete a user or cancel an invitation, or ask the operator of this hub for a higher limit.';
    const reached = { code: 'quota_reached', message };

    it('hold for invitations, all of a request or none', async () => {
      await set(to('users', 3));
      await expect(world.send([fresh(), fresh()])).rejects.toMatchObject(reached);
      expect(await quotaOf('users')).toMatchObject({ used: 2n });
      const guest = fresh();
      await world.send([guest]);
      await expect(world.send([fresh()])).rejects.toMatchObject(reached);
      // It is there already.
      await world.send([guest]);
    });

    it('hold for invitations that are sent at the same time', async () => {
      await set(to('users', 5));
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => world.send([fresh()])));
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect(await quotaOf('users')).toMatchObject({ used: 5n });
    });

    it('are not used by what has expired, until it is sent again', async () => {
      await set(to('users', 3));
      const [old] = (await world.send([fresh()])).invitations;
      await world.source.query('UPDATE invitations SET expires = now()');
      await world.send([fresh()]);
      await expect(world.service.resend(world.owner, { id: old?.id ?? '' })).rejects.toMatchObject(reached);
    });

    it('hold for who accepts when there are as many users already', async () => {
      const guest = fresh();
      await world.send([guest]);
      const link = await world.mailed(guest);
      await set(to('users', 2));
      await expect(world.accept(link)).rejects.toMatchObject({ code: 'quota_reached' });
      await set(to('users', 3));
      const { userId } = await world.accept(link);
      await world.source.query('DELETE FROM users WHERE id = $1', [userId]);
    });

    it('hold for an owner who has to be invited', async () => {
      await set(to('users', 2));
      const assign = (email: string) =>
        world.app.get(Ownership).assign(superAdmin, { accountId: world.acme, email, newOwner: false });
      await expect(assign(fresh())).rejects.toMatchObject({ code: 'quota_reached' });
      await expect(assign('owner@acme.test')).resolves.toEqual({ invited: false });
    });

    it('are counted in a metric', async () => {
      const near = async () => {
        await world.app.get<QuotaCensus>(censusOf('users')).count();
        const { values } = await accountsNearQuota.get();
        return values
          .filter(({ labels }) => labels.quota === 'users')
          .map(({ labels, value }) => [labels.quota, labels.share, value]);
      };
      expect(await near()).toEqual([
        ['users', '0.8', 0],
        ['users', '1', 0],
      ]);
      await set(to('users', 2));
      await quotas.set(superAdmin, { accountId: world.zebra, changes: [to('users', 'unlimited')] });
      expect(await near()).toEqual([
        ['users', '0.8', 1],
        ['users', '1', 1],
      ]);
      await world.send([fresh()], ['Members'], superAdmin, operator);
      await set(to('users', 'unlimited'));
      expect(await near()).toEqual([
        ['users', '0.8', 0],
        ['users', '1', 0],
      ]);
    });

    it('block nothing but additions when there are more than that', async () => {
      const [pending] = (await world.send([fresh(), fresh()])).invitations;
      await set(to('users', 1));
      await world.service.resend(world.owner, { id: pending?.id ?? '' });
      expect(await quotaOf('users')).toMatchObject({ limit: 1n, used: 4n });
    });
  });
});
