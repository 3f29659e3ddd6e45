import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { newApiToken } from '@warren/platform/secrets/api.token';
import { AuditActorKind, AuditOutcome } from '@warren/proto/audit/v1/audit';
import { Role } from '@warren/proto/common/v1/common';
import type { Event } from '@warren/proto/events/v1/events';
import {
  ChangeScimGroupRequestSchema,
  ChangeScimUserRequestSchema,
  DeleteScimRequestSchema,
  ListScimRequestSchema,
  ScimAttribute,
  ScimMemberOperation,
} from '@warren/proto/tenancy/v1/scim';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Founder } from '../src/lifecycle/founder.ts';
import { ScimGroupsService } from '../src/scim/scim.groups.service.ts';
import { REFUSALS_A_MINUTE } from '../src/scim/scim.refusals.ts';
import { KEPT_REVOKED } from '../src/scim/scim.tokens.sql.ts';
import { ScimTokensService } from '../src/scim/scim.tokens.service.ts';
import { ScimUsersService } from '../src/scim/scim.users.service.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { user } from './callers.ts';
import { insertDomain, insertInvitation } from './rows.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

const GATEWAY = serviceCaller('gateway');

let database: TestDatabase;
let nats: Awaited<ReturnType<typeof startNats>>;
let app: INestApplicationContext;
let source: DataSource;
let tokens: ScimTokensService;
let users: ScimUsersService;
let groups: ScimGroupsService;
let acme: string;
let zebra: string;
let domain: string;
let tokenId: string;
let heard: Event[] = [];

beforeAll(async () => {
  [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
  app = await startTenancy(database.url, nats.url);
  source = app.get(DataSource);
  [tokens, users, groups] = [app.get(ScimTokensService), app.get(ScimUsersService), app.get(ScimGroupsService)];
  app.get(EventBus).listen((event) => heard.push(event));
});

afterAll(async () => {
  await app.close();
  await nats.stop();
  await database.drop();
});

beforeEach(async () => {
  const mark = randomUUID().slice(0, 8);
  domain = `${mark}.test`;
  const seed = new SeedService(app.get(Outbox), app.get(Founder));
  const person = (name: string, group: 'Account Owners' | 'Admins' | 'Members') => ({
    email: `${name}@${domain}`,
    name,
    group,
  });
  const people = [person('owner', 'Account Owners'), person('admin', 'Admins'), person('mia', 'Members')];
  const { accounts } = await seed.seed({
    accounts: [
      { name: `Acme ${mark}`, operator: false, users: people },
      { name: `Zebra ${mark}`, operator: false, users: [] },
    ],
  });
  [acme, zebra] = accounts.map(({ id }) => id) as [string, string];
  await insertDomain(source, acme, domain);
  const { secret } = await tokens.create(user(acme, Role.OWNER), { accountId: acme, name: 'Entra', days: 30 });
  tokenId = (await tokens.verify(GATEWAY, { secret })).tokenId;
  await until(async () => (await source.query<unknown[]>('SELECT FROM outbox')).length === 0);
  heard = [];
});

const fields = (more: object) => create(ChangeScimUserRequestSchema, { tokenId, ...more });
const groupFields = (more: object) => create(ChangeScimGroupRequestSchema, { tokenId, ...more });
const find = async (attribute: ScimAttribute, value: string, by = tokenId) =>
  users.list(GATEWAY, create(ListScimRequestSchema, { tokenId: by, attribute, value, limit: 100 }));
const make = async (name: string, more: object = {}) =>
  (await users.create(GATEWAY, fields({ userName: `${name}@${domain}`, ...more }))).user?.id ?? '';
const idOf = async (name: string) => {
  const { users: found } = await find(ScimAttribute.EMAIL, `${name}@${domain}`);
  return found?.[0]?.id ?? '';
};
const groupOf = async (id: string) => (await find(ScimAttribute.ID, id)).users?.[0]?.groupName;
const changes = async (...kinds: string[]) => {
  await until(async () => (await source.query<unknown[]>('SELECT FROM outbox')).length === 0);
  return heard.flatMap(({ kind }) => (kind.case === 'audit' && kinds.includes(kind.value.action) ? [kind.value] : []));
};

describe('tokens of SCIM', () => {
  it('are two at most, of the own account, and end when they are revoked', async () => {
    const owner = user(acme, Role.OWNER);
    const second = await tokens.create(owner, { accountId: acme, name: 'Okta', days: 365 });
    await expect(tokens.create(owner, { accountId: acme, name: 'Third', days: 1 })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await expect(tokens.list(user(acme, Role.ADMIN), { accountId: acme })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    await expect(tokens.list(owner, { accountId: zebra })).rejects.toMatchObject({ code: 'not_found' });
    await expect(tokens.revoke(user(zebra, Role.OWNER), { accountId: zebra, id: tokenId })).rejects.toMatchObject({
      code: 'not_found',
    });
    const { secret, token } = second;
    await tokens.revoke(owner, { accountId: acme, id: token.id ?? '' });
    await expect(tokens.verify(GATEWAY, { secret })).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(find(ScimAttribute.UNSPECIFIED, '', token.id)).rejects.toMatchObject({ code: 'unauthenticated' });
    const rows = await source.query<object[]>('SELECT * FROM scim_tokens');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('leave an event when they are used while they are not in force, and some a minute', async () => {
    const owner = user(acme, Role.OWNER);
    const refused = (secret: string) =>
      expect(tokens.verify(GATEWAY, { secret })).rejects.toMatchObject({ code: 'unauthenticated' });
    const { secret, token } = await tokens.create(owner, { accountId: acme, name: 'Okta', days: 1 });
    const id = token.id ?? '';
    await source.query(`UPDATE accounts SET status = 'Inactive' WHERE id = $1`, [acme]);
    await refused(secret);
    await source.query(`UPDATE accounts SET status = 'Active' WHERE id = $1`, [acme]);
    await source.query('UPDATE scim_tokens SET expires = now() WHERE id = $1', [id]);
    await refused(secret);
    await tokens.revoke(owner, { accountId: acme, id });
    await refused(secret);
    await refused(newApiToken());
    const events = await changes('token.use');
    expect(events.map(({ reason }) => reason)).toEqual(['account disabled', 'expired', 'revoked']);
    for (const event of events)
      expect(event).toMatchObject({
        outcome: AuditOutcome.REFUSED,
        actor: { kind: AuditActorKind.TOKEN, id, name: 'Okta', accountId: acme },
        target: { kind: 'token', id, name: 'Okta' },
      });
    for (let count = 3; count < 3 * REFUSALS_A_MINUTE; count++) await refused(secret);
    const { length } = await changes('token.use');
    expect(length).toBeGreaterThanOrEqual(REFUSALS_A_MINUTE);
    // A minute may end meanwhile.
    expect(length).toBeLessThanOrEqual(2 * REFUSALS_A_MINUTE);
  });

  it('that are revoked are remembered, the last of each account', async () => {
    const owner = user(acme, Role.OWNER);
    await source.query(
      `INSERT INTO revoked_scim_tokens (id, account_id, name, hash, revoked)
       SELECT gen_random_uuid(), a, 'x', gen_random_uuid(), now() - interval '1 day' FROM unnest($1::uuid[]) a, generate_series(1, 120)`,
      [[acme, zebra]],
    );
    const { secret, token } = await tokens.create(owner, { accountId: acme, name: 'Okta', days: 1 });
    await tokens.revoke(owner, { accountId: acme, id: token.id ?? '' });
    const count = async (account: string) => {
      const rows = 'SELECT count(*)::int AS count FROM revoked_scim_tokens WHERE account_id = $1';
      return (await source.query<{ count: number }[]>(rows, [account]))[0]?.count;
    };
    expect([await count(acme), await count(zebra)]).toEqual([KEPT_REVOKED, 120]);
    await expect(tokens.verify(GATEWAY, { secret })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await changes('token.use')).toMatchObject([{ reason: 'revoked', actor: { id: token.id } }]);
  });

  it('last a year at most, and are none of the operator or of a disabled account', async () => {
    const [operator] = await source.query<{ id: string }[]>('SELECT id FROM accounts WHERE operator');
    const boss = user(operator?.id ?? '', Role.SUPER_ADMIN, true);
    await expect(tokens.create(boss, { accountId: acme, name: 'x', days: 366 })).rejects.toMatchObject({
      problems: [{ field: 'days' }],
    });
    await expect(tokens.create(boss, { accountId: operator?.id ?? '', name: 'x', days: 1 })).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    await source.query(`UPDATE accounts SET status = 'Inactive' WHERE id = $1`, [acme]);
    await expect(find(ScimAttribute.UNSPECIFIED, '')).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

describe('users of SCIM', () => {
  it('are created, found, renamed, disabled and deleted, by the token as the actor', async () => {
    const id = await make('Ann.Lee', { externalId: 'e-1', givenName: 'Ann', familyName: 'Lee' });
    const { users: found, total } = await find(ScimAttribute.USER_NAME, `ANN.LEE@${domain.toUpperCase()}`);
    expect(total).toBe(1);
    expect(found?.[0]).toMatchObject({ id, email: `ann.lee@${domain}`, name: 'Ann Lee', active: true });
    expect(found?.[0]).toMatchObject({ groupName: 'Members', externalId: 'e-1', userName: `Ann.Lee@${domain}` });
    await users.change(GATEWAY, fields({ id, name: 'Ann L.', active: false }));
    expect((await find(ScimAttribute.EXTERNAL_ID, 'e-1')).users?.[0]).toMatchObject({ name: 'Ann L.', active: false });
    await users.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id }));
    expect((await find(ScimAttribute.ID, id)).total).toBe(0);
    const audited = await changes('user.create', 'user.disable', 'user.change_profile', 'user.delete');
    expect(audited.map(({ action }) => action)).toEqual([
      'user.create',
      'user.change_profile',
      'user.disable',
      'user.delete',
    ]);
    for (const { actor } of audited)
      expect(actor).toMatchObject({ kind: AuditActorKind.TOKEN, id: tokenId, name: 'Entra' });
    const active = heard.flatMap(({ kind }) => (kind.case === 'userChanged' ? [kind.value.active] : []));
    expect(active).toEqual([true, false]);
  });

  it.each([
    ['of a foreign domain', 'ann@foreign.test', 'permission_denied'],
    ['of a subdomain', 'ann@sub.{domain}', 'permission_denied'],
    ['that exists, in another case', 'MIA@{domain}', 'already_exists'],
    ['without an address', 'no address', 'invalid_argument'],
    ['with a domain that only looks alike', 'ann@{domain}.', 'invalid_argument'],
  ])('%s are refused', async (_what, userName, code) => {
    const name = userName.replace('{domain}', domain);
    await expect(users.create(GATEWAY, fields({ userName: name }))).rejects.toMatchObject({ code });
  });

  it('are created only at verified domains of the account', async () => {
    await source.query('UPDATE account_domains SET verified = NULL WHERE account_id = $1', [acme]);
    await expect(make('ann')).rejects.toMatchObject({ code: 'permission_denied' });
    await insertDomain(source, zebra, domain);
    await expect(make('ann')).rejects.toMatchObject({ code: 'permission_denied' });
    await source.query('DELETE FROM account_domains WHERE account_id = $1', [zebra]);
    await source.query('UPDATE account_domains SET verified = now(), lost = now() WHERE account_id = $1', [acme]);
    await expect(make('ann')).resolves.toMatch(/-7/);
  });

  it('keep their address, which is not taken from an account to another', async () => {
    const id = await make('ann');
    await expect(users.change(GATEWAY, fields({ id, userName: `bob@${domain}` }))).rejects.toMatchObject({
      code: 'failed_precondition',
    });
    const [group] = await source.query<{ id: string }[]>(
      `SELECT id FROM groups WHERE account_id = $1 AND name = 'Members'`,
      [zebra],
    );
    await source.query(`UPDATE users SET account_id = $2, group_id = $3 WHERE id = $1`, [id, zebra, group?.id]);
    await source.query('DELETE FROM scim_users WHERE user_id = $1', [id]);
    await expect(make('ann')).rejects.toMatchObject({ code: 'already_exists' });
    for (const work of [
      users.change(GATEWAY, fields({ id, active: false })),
      users.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id })),
    ])
      await expect(work).rejects.toMatchObject({ code: 'not_found' });
    expect((await find(ScimAttribute.ID, id)).total).toBe(0);
  });

  it('with the role Owner are neither changed nor deleted', async () => {
    const id = await idOf('owner');
    for (const work of [
      () => users.change(GATEWAY, fields({ id, active: false })),
      () => users.change(GATEWAY, fields({ id, name: 'Other' })),
      () => users.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id })),
    ])
      await expect(work()).rejects.toMatchObject({ code: 'permission_denied' });
    await users.change(GATEWAY, fields({ id, externalId: 'e-owner', active: true }));
    expect((await find(ScimAttribute.EXTERNAL_ID, 'e-owner')).users?.[0]?.id).toBe(id);
  });

  it('count towards the quota', async () => {
    await source.query(`UPDATE accounts SET quotas = '{"users": 3}' WHERE id = $1`, [acme]);
    await expect(make('ann')).rejects.toMatchObject({ code: 'quota_reached' });
    expect(await idOf('ann')).toBe('');
  });

  it('end an invitation to the role Member, and take the place of no other', async () => {
    await insertInvitation(source, { account: acme, email: `ann@${domain}`, group: 'Members' });
    await insertInvitation(source, { account: acme, email: `bob@${domain}`, group: 'Admins' });
    await make('ann');
    await expect(make('bob')).rejects.toMatchObject({ code: 'permission_denied' });
    const left = await source.query<{ email: string }[]>('SELECT email FROM invitations WHERE account_id = $1', [acme]);
    expect(left.map(({ email }) => email)).toEqual([`bob@${domain}`]);
    expect(await changes('invitation.cancel')).toMatchObject([
      { actor: { id: tokenId }, target: { name: `ann@${domain}` } },
    ]);
  });
});

describe('groups of SCIM', () => {
  const members = (operation: ScimMemberOperation, ...ids: string[]) => [{ operation, users: ids }];
  const { ADD, REMOVE, REPLACE } = ScimMemberOperation;

  it('are created, renamed, filled and deleted; users are in the group they were last added to', async () => {
    const [ann, bob] = [await make('ann'), await make('bob')];
    const { group } = await groups.create(
      GATEWAY,
      groupFields({ name: 'Field Team', externalId: 'g-1', members: members(ADD, ann) }),
    );
    const id = group?.id ?? '';
    expect(group).toMatchObject({ name: 'Field Team', externalId: 'g-1', members: [{ id: ann }] });
    await groups.change(GATEWAY, groupFields({ id, name: 'North', members: members(ADD, bob) }));
    expect([await groupOf(ann), await groupOf(bob)]).toEqual(['North', 'North']);
    await groups.change(GATEWAY, groupFields({ id, members: members(REMOVE, ann) }));
    expect([await groupOf(ann), await groupOf(bob)]).toEqual(['Members', 'North']);
    await groups.change(GATEWAY, groupFields({ id, members: members(REPLACE, ann) }));
    expect([await groupOf(ann), await groupOf(bob)]).toEqual(['North', 'Members']);
    await groups.delete(GATEWAY, create(DeleteScimRequestSchema, { tokenId, id }));
    expect(await groupOf(ann)).toBe('Members');
    const done = (await changes('group.create', 'group.rename', 'group.delete')).map(({ action }) => action);
    expect(done).toEqual(['group.create', 'group.rename', 'group.delete']);
    expect((await changes('user.move')).every(({ actor }) => actor?.id === tokenId)).toBe(true);
  });

  it('with a wider role than Member are out of reach, and their users are not moved', async () => {
    const all = await groups.list(GATEWAY, create(ListScimRequestSchema, { tokenId, limit: 100 }));
    expect(all.groups?.map(({ name }) => name).sort()).toEqual(['Developers', 'Members']);
    await expect(groups.create(GATEWAY, groupFields({ name: 'admins' }))).rejects.toMatchObject({
      code: 'already_exists',
    });
    const [admins] = await source.query<{ id: string }[]>(
      `SELECT id FROM groups WHERE account_id = $1 AND name = 'Admins'`,
      [acme],
    );
    const ann = await make('ann');
    const wide = groupFields({ id: admins?.id ?? '', members: members(ADD, ann) });
    await expect(groups.change(GATEWAY, wide)).rejects.toMatchObject({ code: 'not_found' });
    const developers = all.groups?.find(({ name }) => name === 'Developers')?.id ?? '';
    for (const who of ['owner', 'admin']) {
      const moved = groupFields({ id: developers, members: members(ADD, await idOf(who)) });
      await expect(groups.change(GATEWAY, moved)).rejects.toMatchObject({ code: 'permission_denied' });
    }
    await expect(groups.change(GATEWAY, groupFields({ id: developers, name: 'Devs' }))).rejects.toMatchObject({
      code: 'permission_denied',
    });
    const gone = create(DeleteScimRequestSchema, { tokenId, id: developers });
    await expect(groups.delete(GATEWAY, gone)).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('take nobody of another account, and not too many', async () => {
    const { groups: [first] = [] } = await groups.list(GATEWAY, create(ListScimRequestSchema, { tokenId, limit: 1 }));
    const id = first?.id ?? '';
    const [other] = await source.query<{ id: string }[]>('SELECT id FROM users WHERE account_id <> $1 LIMIT 1', [acme]);
    for (const one of [other?.id ?? '', randomUUID(), 'no id'])
      await expect(groups.change(GATEWAY, groupFields({ id, members: members(ADD, one) }))).rejects.toMatchObject({
        problems: [{ field: 'members' }],
      });
    const many = Array.from({ length: 10_000 }, () => randomUUID());
    await expect(groups.change(GATEWAY, groupFields({ id, members: members(ADD, ...many) }))).rejects.toMatchObject({
      problems: [{ field: 'members' }],
    });
  });
});
