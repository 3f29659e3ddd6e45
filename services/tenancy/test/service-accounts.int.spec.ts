import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceAccountPermissions } from '@warren/platform/policy/policy';
import { create } from '@bufbuild/protobuf';
import { until } from '@warren/infra/until';
import { serviceCaller, userCaller, requireUser, type Caller } from '@warren/platform/rpc/caller';
import { ApiTokenSchema, DevicePermission, PageRequestSchema, Role, Status } from '@warren/proto/common/v1/common';
import { GrantSubjectSchema } from '@warren/proto/tenancy/v1/access';
import { SERVICE_ACCOUNT_LIMITS } from '@warren/rules/service-accounts';
import { v7 as uuidv7 } from 'uuid';
import { AccessService } from '../src/access/access.service.ts';
import { GrantExpiry } from '../src/access/grant.expiry.ts';
import { GrantsService } from '../src/access/grants.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { ServiceAccountsService } from '../src/service-accounts/service-accounts.service.ts';
import { AccountManagement } from '../src/lifecycle/account-management.service.ts';
import { user } from './callers.ts';
import { InvitationWorld } from './invitation.world.ts';

const gateway = serviceCaller('gateway');
const tunnels = serviceCaller('tunnels');
const { VIEW, TERMINAL } = DevicePermission;

describe('service accounts', () => {
  const world = new InvitationWorld();
  let accounts: ServiceAccountsService;
  let grants: GrantsService;
  let access: AccessService;
  let operator: string;

  beforeAll(async () => {
    await world.start();
    accounts = world.app.get(ServiceAccountsService);
    grants = world.app.get(GrantsService);
    access = world.app.get(AccessService);
    const [row] = await world.source.query<{ id: string }[]>('SELECT id FROM accounts WHERE operator');
    operator = row?.id ?? '';
  });
  afterAll(() => world.stop());

  const wanted = { name: 'CI runner', description: 'Nightly tests', role: Role.MEMBER };
  const make = async (more: Partial<typeof wanted> = {}, caller: Caller = world.owner, accountId = world.acme) => {
    const { serviceAccount } = await accounts.create(caller, { accountId, ...wanted, ...more });
    const { userId: id = '', email = '' } = serviceAccount.subject ?? {};
    return { id, email, serviceAccount };
  };
  const resolved = (email: string, more: object = {}) =>
    world.app.get(MembersService).resolve(gateway, { email, name: '', ...more });
  const told = (id: string) =>
    world.heard.flatMap(({ kind }) => (kind.case === 'audit' && kind.value.target?.id === id ? [kind.value] : []));
  const byToken = (caller: Caller, permissions: string[] = []) => {
    const token = create(ApiTokenSchema, { permissions: ['service-accounts.manage', ...permissions] });
    return userCaller({ ...requireUser(caller), token });
  };
  const refused = (code: string) => expect.objectContaining({ code });

  it('resolve by their handle, and no provider signs in as one', async () => {
    const { id, email, serviceAccount } = await make();
    expect(serviceAccount).toMatchObject({ description: 'Nightly tests', createdBy: 'someone@example.com' });
    expect(email).toMatch(/^ci-runner-[0-9a-f]{12}@service-account\.invalid$/);
    expect(await resolved(email)).toMatchObject({
      user: { id, name: 'CI runner', accountId: world.acme, role: Role.MEMBER, status: Status.ACTIVE },
      serviceAccount: true,
      operator: false,
    });
    const identity = { provider: 'p', subject: 's' };
    expect(await resolved(email, { identity, bind: true })).toEqual({ identityMismatch: true });
    expect(await resolved('nobody-0a2b3c4d5e6f@service-account.invalid')).toEqual({});
    await until(() => told(id).length === 1);
    expect(told(id)[0]).toMatchObject({
      action: 'service_account.create',
      target: { kind: 'service_account', name: 'CI runner' },
    });
  });

  it('are changed, disabled, and deleted with their grants, which services hear as of a user', async () => {
    const { id, email } = await make({ name: 'Changing' });
    const subject = create(GrantSubjectSchema, { kind: { case: 'serviceAccountId', value: id } });
    const content = { permissions: [VIEW, TERMINAL], filter: 'site=north', note: '' };
    await grants.create(world.owner, { accountId: world.acme, subject, content });
    const place = { accountId: world.acme, id };
    const change = (role: Role, status: Status) =>
      accounts.update(world.owner, { ...place, description: 'Other', role, status });
    await change(Role.ADMIN, Status.ACTIVE);
    expect(await resolved(email)).toMatchObject({ user: { role: Role.ADMIN } });
    await change(Role.ADMIN, Status.INACTIVE);
    expect(await resolved(email)).toMatchObject({ user: { status: Status.INACTIVE } });
    await accounts.delete(world.owner, place);
    expect(await resolved(email)).toEqual({});
    expect((await access.get(world.owner, { accountId: world.acme })).grants).toEqual([]);
    await until(() => told(id).length === 4);
    expect(told(id).map(({ action }) => action)).toEqual(
      ['create', 'change', 'disable', 'delete'].map((verb) => `service_account.${verb}`),
    );
    const heard = () =>
      world.heard.flatMap(({ kind }) =>
        (kind.case === 'userChanged' || kind.case === 'userDeleted') && kind.value.userId === id ? [kind] : [],
      );
    await until(() => heard().length === 4);
    expect(heard().map((kind) => [kind.case, kind.case === 'userChanged' && kind.value.active])).toEqual([
      ['userChanged', true],
      ['userChanged', true],
      ['userChanged', false],
      ['userDeleted', false],
    ]);
  });

  it('have their grants, and not those of everyone', async () => {
    const { id, email } = await make({ name: 'Granted' });
    await access.setMode(world.owner, { accountId: world.acme, explicitGrants: true });
    const everyone = create(GrantSubjectSchema, { kind: { case: 'everyone', value: true } });
    const subject = create(GrantSubjectSchema, { kind: { case: 'serviceAccountId', value: id } });
    const content = { permissions: [TERMINAL], filter: 'site=north', note: '' };
    await grants.create(world.owner, { accountId: world.acme, subject: everyone, content });
    const { grant } = await grants.create(world.owner, { accountId: world.acme, subject, content });
    const grantId = grant.id ?? '';
    const carried = async () => (await resolved(email)).grants?.map((one) => one.id);
    expect(await carried()).toEqual([grantId]);
    const { members, serviceAccounts } = await access.members(world.owner, {
      accountId: world.acme,
      page: create(PageRequestSchema, { page: 1, limit: 50 }),
      userId: '',
    });
    expect(members?.every(({ user: one }) => one?.grants?.every((held) => held.id !== grantId))).toBe(true);
    expect(serviceAccounts?.find(({ user: one }) => one?.userId === id)).toMatchObject({
      user: { serviceAccount: true, explicitGrants: true, grants: [{ id: grantId }] },
    });
    const { members: restrictable } = await access.restrictable(world.owner, { accountId: world.acme, after: '' });
    expect(restrictable).toContainEqual({
      id,
      name: 'Granted',
      email,
      groupId: '',
      groupName: '',
      serviceAccount: true,
    });
    const { users } = await access.restricted(tunnels, { accountId: world.acme, after: '' });
    expect(users?.map(({ userId }) => userId)).toContain(id);
    expect(users?.map(({ userId }) => userId)).toEqual(users?.map(({ userId }) => userId).sort());
    await grants.update(world.owner, { accountId: world.acme, id: grantId, content: { ...content, filter: '' } });
    expect((await resolved(email)).grants).toMatchObject([{ id: grantId, filter: '' }]);
    await world.source.query('UPDATE service_account_grants SET expires = now() WHERE id = $1', [grantId]);
    expect(await carried()).toEqual([]);
    await world.app.get(GrantExpiry).sweep();
    expect(await world.source.query('SELECT FROM service_account_grants WHERE id = $1', [grantId])).toEqual([]);
    await until(() => told(grantId).some(({ action }) => action === 'grant.expire'));
    await world.source.query('DELETE FROM grants');
    await access.setMode(world.owner, { accountId: world.acme, explicitGrants: false });
  });

  it('are only for managers, and have no more than their creator', async () => {
    const { id } = await make({ name: 'Guarded' });
    const place = { accountId: world.acme, id };
    const member = user(world.acme, Role.MEMBER);
    const other = user(uuidv7(), Role.OWNER);
    await expect(make({ name: 'A' }, member)).rejects.toEqual(refused('permission_denied'));
    await expect(make({ name: 'A' }, other)).rejects.toEqual(refused('not_found'));
    await expect(accounts.list(member, place)).rejects.toEqual(refused('permission_denied'));
    await expect(accounts.get(other, place)).rejects.toEqual(refused('not_found'));
    await expect(accounts.delete(other, place)).rejects.toEqual(refused('not_found'));
    for (const role of [Role.OWNER, Role.SUPER_ADMIN, Role.UNSPECIFIED])
      await expect(make({ name: 'A', role })).rejects.toEqual(refused('invalid_argument'));
    // The operator's Admin sees the users of all accounts, and its Owner does not.
    const operatorOwner = user(operator, Role.OWNER, true);
    const Admin = { name: 'A', role: Role.ADMIN };
    await expect(make(Admin, operatorOwner, operator)).rejects.toEqual(refused('permission_denied'));
    await expect(make(Admin, user(operator, Role.ADMIN, true), operator)).resolves.toMatchObject({});
    await expect(make({ name: 'guarded' })).rejects.toEqual(refused('invalid_argument'));
    await expect(make({ name: ' ' })).rejects.toEqual(refused('invalid_argument'));
  });

  it('get no role from a token that is narrower than the role', async () => {
    const narrow = byToken(world.owner, ['devices.read']);
    const wide = byToken(world.owner, serviceAccountPermissions({ role: Role.MEMBER, operator: false }));
    await expect(make({ name: 'Narrow' }, narrow)).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('it lacks'),
    });
    await expect(make({ name: 'Admin', role: Role.ADMIN }, wide)).rejects.toEqual(refused('permission_denied'));
    const { id } = await make({ name: 'Wide' }, wide);
    const place = { accountId: world.acme, id };
    const content = { ...place, description: 'Nightly builds', role: Role.MEMBER, status: Status.ACTIVE };
    // Its role stays, so that the token gives none.
    await accounts.update(narrow, content);
    const widened = accounts.update(wide, { ...content, role: Role.ADMIN });
    await expect(widened).rejects.toEqual(refused('permission_denied'));
    await accounts.update(world.owner, { ...content, role: Role.ADMIN });
    await expect(accounts.update(narrow, content)).rejects.toEqual(refused('permission_denied'));
    await accounts.delete(narrow, place);
  });

  it(`are ${SERVICE_ACCOUNT_LIMITS.perAccount} of an account at most, however many are created at once`, async () => {
    await world.source.query('DELETE FROM service_accounts WHERE account_id = $1', [world.acme]);
    await world.source.query(
      `INSERT INTO service_accounts (id, account_id, name, email, description, role, status, created_by)
       SELECT gen_random_uuid(), $1, 'n' || n, 'n' || n || '@service-account.invalid', '', 'Member', 'Active', ''
       FROM generate_series(1, $2) n`,
      [world.acme, SERVICE_ACCOUNT_LIMITS.perAccount - 1],
    );
    const results = await Promise.allSettled(['X', 'Y', 'Z'].map((name) => make({ name })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('go with their account', async () => {
    await world.app.get(AccountManagement).remove(user(operator, Role.SUPER_ADMIN, true), { id: world.acme });
    expect(await world.source.query('SELECT FROM service_accounts WHERE account_id = $1', [world.acme])).toEqual([]);
    const deleted = () => world.heard.filter(({ kind }) => kind.case === 'userDeleted').length;
    await until(() => deleted() >= SERVICE_ACCOUNT_LIMITS.perAccount);
  });
});
