import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { until } from '@warren/infra/until';
import { MEMBERS } from '@warren/platform/broker/keys';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { DevicePermission, Role, Status } from '@warren/proto/common/v1/common';
import { GrantSubjectSchema } from '@warren/proto/tenancy/v1/access';
import { QuotaChangeSchema } from '@warren/proto/tenancy/v1/tenancy';
import { Redis } from 'ioredis';
import { AccessService } from '../src/access/access.service.ts';
import { GrantsService } from '../src/access/grants.service.ts';
import { AccountManagement } from '../src/lifecycle/account-management.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { QuotasService } from '../src/quotas/quotas.service.ts';
import { UserAdministration } from '../src/users/user.administration.ts';
import { user } from './callers.ts';
import { InvitationWorld } from './invitation.world.ts';

const gateway = serviceCaller('gateway');
const email = 'member@acme.test';
const FEWER_USERS = create(QuotaChangeSchema, { name: 'users', to: { case: 'limit', value: 7n } });
const TO_EVERYONE = {
  subject: create(GrantSubjectSchema, { kind: { case: 'everyone', value: true } }),
  content: { permissions: [DevicePermission.VIEW], filter: '', note: '' },
};
const identity = { provider: 'work', subject: 's1' };

describe('the version of members', () => {
  const w = new InvitationWorld();
  let redis: Redis;
  let id: string;
  const version = () => redis.get(MEMBERS.version);
  const signIn = (subject: string) =>
    w.app.get(MembersService).resolve(gateway, { email, name: '', identity: { ...identity, subject }, bind: true });

  beforeAll(async () => {
    await w.start();
    redis = new Redis(w.redis.url);
    [{ id }] = await w.source.query('SELECT id FROM users WHERE email = $1', [email]);
  });
  afterAll(async () => {
    redis?.disconnect();
    await w.stop();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a user is disabled', () => users().setStatus(w.owner, { id, status: Status.INACTIVE })],
    ['a user is moved to another group', () => move('Developers')],
    ['a sign-in binds a user', () => signIn('s1')],
    ['a sign-in is reset', () => users().resetSignIn(w.owner, { id })],
    ['somebody is invited', () => w.send(['guest@acme.test'])],
    [
      'quotas of an account change',
      () => w.app.get(QuotasService).set(operator(), { accountId: w.acme, changes: [FEWER_USERS] }),
    ],
    ['a grant is given', () => w.app.get(GrantsService).create(w.owner, { accountId: w.acme, ...TO_EVERYONE })],
    [
      'explicit grants are all',
      () => w.app.get(AccessService).setMode(w.owner, { accountId: w.acme, explicitGrants: true }),
    ],
    ['an account is disabled', () => accounts().setStatus(operator(), { id: w.zebra, status: Status.INACTIVE })],
    ['a user is deleted', () => users().delete(w.owner, { id })],
  ])('is another one once %s', async (_what, change) => {
    const before = await version();
    expect(before).toMatch(/^[\w-]{36}$/);
    await change();
    expect(await version()).not.toBe(before);
  });

  it('is another one after a transaction that failed: it may have committed', async () => {
    const before = await version();
    await expect(w.app.get(Outbox).transaction(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(await version()).not.toBe(before);
  });

  it('is there again when Redis has lost it, and a change without Redis is answered when nothing is kept any more', async () => {
    await w.redis.kill();
    const begun = performance.now();
    await w.app.get(Outbox).transaction(async () => {});
    expect(performance.now() - begun).toBeGreaterThanOrEqual(MEMBERS.keptMs - 1);
    await w.redis.start();
    await until(async () => (await version().catch(() => null)) !== null);
  });

  const users = () => w.app.get(UserAdministration);
  const accounts = () => w.app.get(AccountManagement);
  const operator = () => user(w.acme, Role.SUPER_ADMIN, true);
  const move = async (group: string) => {
    const [row] = await w.source.query('SELECT id FROM groups WHERE account_id = $1 AND name = $2', [w.acme, group]);
    return users().move(w.owner, { id, groupId: row.id, oldGroupId: '', accountId: '' });
  };
});
