import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import type { INestApplicationContext } from '@nestjs/common';
import { startNats } from '@warren/infra/nats';
import type { TestDatabase } from '@warren/infra/test-database';
import { until } from '@warren/infra/until';
import { EventBus } from '@warren/platform/events/event.bus';
import { Outbox } from '@warren/platform/events/outbox';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { Role } from '@warren/proto/common/v1/common';
import type { Event } from '@warren/proto/events/v1/events';
import { ChangeScimGroupRequestSchema } from '@warren/proto/tenancy/v1/scim';
import { GroupMappingOutcome, ProviderGroupsProblem } from '@warren/proto/tenancy/v1/tenancy';
import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { GroupRulesService } from '../src/group-rules/group.rules.service.ts';
import { Founder } from '../src/lifecycle/founder.ts';
import { GroupManagement } from '../src/lifecycle/group-management.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { ScimGroupsService } from '../src/scim/scim.groups.service.ts';
import { ScimTokensService } from '../src/scim/scim.tokens.service.ts';
import { SeedService } from '../src/seeding/seed.service.ts';
import { UserAdministration } from '../src/users/user.administration.ts';
import { user } from './callers.ts';
import { startTenancy, tenancyDatabase } from './tenancy.process.ts';

const GATEWAY = serviceCaller('gateway');
const { MOVED, KEPT, NO_RULES, UNKNOWN, PLACED, ROLE } = GroupMappingOutcome;
const { UNSPECIFIED, OVERAGE } = ProviderGroupsProblem;

let database: TestDatabase;
let nats: Awaited<ReturnType<typeof startNats>>;
let app: INestApplicationContext;
let source: DataSource;
let rules: GroupRulesService;
let acme: string;
let zebra: string;
let domain: string;
/** Ids of groups of Acme by name. */
let groups: Record<string, string>;
/** All events of all accounts by their ids, which sort by time. */
const heard = new Map<string, Event>();

beforeAll(async () => {
  [database, nats] = await Promise.all([tenancyDatabase(), startNats()]);
  app = await startTenancy(database.url, nats.url);
  [source, rules] = [app.get(DataSource), app.get(GroupRulesService)];
  app.get(EventBus).listen((event) => heard.set(event.id, event));
});

afterAll(async () => {
  await app.close();
  await nats.stop();
  await database.drop();
});

beforeEach(async () => {
  const mark = randomUUID().slice(0, 8);
  domain = `${mark}.test`;
  const person = (name: string, group: 'Account Owners' | 'Admins' | 'Members') => ({
    email: `${name}@${domain}`,
    name,
    group,
  });
  const people = [person('owner', 'Account Owners'), person('ada', 'Admins'), person('mia', 'Members')];
  const { accounts } = await new SeedService(app.get(Outbox), app.get(Founder)).seed({
    accounts: [
      { name: `Acme ${mark}`, operator: false, users: people },
      {
        name: `Zebra ${mark}`,
        operator: false,
        users: [{ ...person('zoe', 'Members'), email: `zoe@zebra.${domain}` }],
      },
    ],
  });
  [acme, zebra] = accounts.map(({ id }) => id) as [string, string];
  for (const name of ['Engineers', 'Operations'])
    await app.get(GroupManagement).create(owner(), { accountId: acme, name, role: Role.MEMBER });
  const rows = await source.query<{ id: string; name: string }[]>('SELECT id, name FROM groups WHERE account_id = $1', [
    acme,
  ]);
  groups = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
});

const owner = (accountId = acme) => user(accountId, Role.OWNER);
const rule = (value: string, group: string, provider = 'work') => ({
  provider,
  value,
  groupId: groups[group] ?? group,
});
const set = (...wanted: ReturnType<typeof rule>[]) =>
  rules.set(owner(), { accountId: acme, rules: wanted, version: '', domains: [] });
const list = (caller = owner(), accountId = acme) =>
  rules.list(caller, { accountId, domains: [domain, 'other.test', `proven.${domain}`, `claimed.${domain}`] });

/** A sign-in at a provider, which states groups; null for an answer that only refers to them. */
async function signIn(values: string[] | null, { who = 'mia', provider = 'work', bind = true } = {}) {
  const stated = values ? { values, problem: UNSPECIFIED } : { values: [], problem: OVERAGE };
  const identity = { provider, subject: who };
  const email = `${who}@${domain}`;
  const member = await app.get(MembersService).resolve(GATEWAY, { email, name: '', identity, bind, groups: stated });
  return { group: member.user?.groupName, outcome: member.groupMapping?.outcome, mapping: member.groupMapping };
}
const groupOf = async (who = 'mia') =>
  (
    await source.query<{ name: string }[]>(
      'SELECT g.name FROM users u JOIN groups g ON g.id = u.group_id WHERE u.email = $1',
      [`${who}@${domain}`],
    )
  )[0]?.name;
const idOf = async (who = 'mia') =>
  (await source.query<{ id: string }[]>('SELECT id FROM users WHERE email = $1', [`${who}@${domain}`]))[0]?.id ?? '';
/** Events of Acme in their order; those after the one with the id `since`. */
const eventsSince = (since = '') =>
  [...heard.values()]
    .filter(({ id, accountId }) => accountId === acme && id > since)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
/** Waits until Acme has as many audit events of such actions. */
async function audited(prefix: string, count: number) {
  const found = () =>
    eventsSince().flatMap(({ id, kind }) =>
      kind.case === 'audit' && kind.value.action.startsWith(prefix) ? [{ ...kind.value, id }] : [],
    );
  await until(() => found().length >= count);
  return found();
}

describe('a sign-in', () => {
  it('makes the membership what the rules say: added, changed and removed, with events that end sessions', async () => {
    await set(rule('ops', 'Operations'), rule('eng', 'Engineers'));
    const made = (await audited('group_rule.create', 2)).at(-1)?.id;
    expect(await signIn(['eng', 'x'])).toMatchObject({ group: 'Engineers', outcome: MOVED });
    expect(await signIn(['eng'])).toMatchObject({ group: 'Engineers', outcome: KEPT });
    expect(await signIn(['eng', 'ops'])).toMatchObject({ group: 'Operations', outcome: MOVED });
    const { mapping } = await signIn([]);
    expect(mapping).toMatchObject({ outcome: MOVED, matched: [], groupBefore: 'Operations', groupAfter: 'Members' });
    const id = await idOf();
    const moves = await audited('user.move', 3);
    expect(
      moves.map(({ target, actor, details, reason }) => [target?.id, actor?.id, JSON.parse(details), reason]),
    ).toEqual([
      [id, 'gateway', { provider: 'work', provider_group: 'eng' }, 'a group rule matches'],
      [id, 'gateway', { provider: 'work', provider_group: 'ops' }, 'a group rule matches'],
      [id, 'gateway', { provider: 'work' }, 'no group rule matches any more'],
    ]);
    expect(moves[2]?.changes).toMatchObject([{ field: 'group', before: '"Operations"', after: '"Members"' }]);
    const changed = () =>
      eventsSince(made).filter(({ kind }) => kind.case === 'userChanged' && kind.value.userId === id);
    await until(() => changed().length === 3);
    const counted = () =>
      eventsSince(moves[1]?.id).flatMap(({ kind }) => (kind.case === 'groupChanged' ? [kind.value.groupId] : []));
    await until(() => counted().length === 2);
    expect(counted().sort()).toEqual([groups['Members'], groups['Operations']].sort());
  });

  it('leaves the membership as it is while the groups are not known, or not asked for', async () => {
    await set(rule('eng', 'Engineers'));
    await signIn(['eng']);
    expect(await signIn(null)).toMatchObject({ group: 'Engineers', outcome: UNKNOWN });
    const identity = { provider: 'work', subject: 'mia' };
    const member = await app
      .get(MembersService)
      .resolve(GATEWAY, { email: `mia@${domain}`, name: '', identity, bind: true });
    expect([member.user?.groupName, member.groupMapping]).toEqual(['Engineers', undefined]);
  });

  it('moves nobody in a trial, and tells what a sign-in would do', async () => {
    await set(rule('eng', 'Engineers'));
    const { mapping } = await signIn(['eng'], { bind: false });
    const matched = [{ value: 'eng', groupName: 'Engineers' }];
    expect(mapping).toMatchObject({ outcome: MOVED, matched, groupBefore: 'Members', groupAfter: 'Engineers' });
    expect(await groupOf()).toBe('Members');
    await signIn(['eng']);
    expect((await signIn([], { bind: false })).mapping).toMatchObject({ outcome: MOVED, groupAfter: 'Members' });
    expect(await groupOf()).toBe('Engineers');
  });

  it('leaves users whom a person has moved out of Members, and Admins and Owners', async () => {
    await set(rule('eng', 'Engineers'));
    await signIn(['eng']);
    const users = app.get(UserAdministration);
    const move = (group: string) =>
      users.move(owner(), { id, groupId: groups[group] ?? '', oldGroupId: '', accountId: acme });
    const id = await idOf();
    await move('Operations');
    expect(await signIn(['eng'])).toMatchObject({ group: 'Operations', outcome: PLACED });
    await move('Engineers');
    expect(await signIn([])).toMatchObject({ group: 'Engineers', outcome: PLACED });
    await move('Members');
    expect(await signIn(['eng'])).toMatchObject({ group: 'Engineers', outcome: MOVED });
    expect(await signIn(['eng'], { who: 'ada' })).toMatchObject({ group: 'Admins', outcome: ROLE });
    expect(await signIn(['eng'], { who: 'owner' })).toMatchObject({ group: 'Account Owners', outcome: ROLE });
  });

  it('at another provider, or of a user of another account, meets no rules', async () => {
    await set(rule('eng', 'Engineers', 'guests'));
    expect(await signIn(['eng'])).toMatchObject({ group: 'Members', outcome: NO_RULES });
    expect(await signIn(['eng'], { who: 'zoe@zebra', provider: 'guests' })).toMatchObject({ group: undefined });
    const identity = { provider: 'guests', subject: 'zoe' };
    const stated = { values: ['eng'], problem: UNSPECIFIED };
    const zoe = { email: `zoe@zebra.${domain}`, name: '', identity, bind: true, groups: stated };
    const member = await app.get(MembersService).resolve(GATEWAY, zoe);
    expect([member.user?.groupName, member.groupMapping?.outcome]).toEqual(['Members', NO_RULES]);
    // Another person at the address is nobody, and moves nobody.
    const other = { ...zoe, email: `mia@${domain}`, identity: { provider: 'guests', subject: 'eve' } };
    expect(await app.get(MembersService).resolve(GATEWAY, other)).toEqual({ identityMismatch: true });
    expect(await groupOf()).toBe('Members');
  });

  it('of many at the same time moves the user once', async () => {
    await set(rule('eng', 'Engineers'));
    const all = await Promise.all(Array.from({ length: 8 }, () => signIn(['eng'])));
    expect(all.map(({ group }) => group)).toEqual(all.map(() => 'Engineers'));
    await set();
    // Comes after all others.
    await audited('group_rule.delete', 1);
    expect(await audited('user.move', 1)).toHaveLength(1);
  });

  it('with more or longer groups than one may have is refused', async () => {
    for (const [values, field] of [
      [Array.from({ length: 1_001 }, (_, at) => `g${at}`), 'groups.values'],
      [['eng', 'x'.repeat(257)], 'groups.values.1'],
    ] as const)
      await expect(signIn([...values])).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field }] });
  });
});

describe('rules', () => {
  it('are replaced: those that stay keep their users, and the users of removed ones move to Members', async () => {
    await set(rule('eng', 'Engineers'), rule('ops', 'Operations'));
    await signIn(['eng']);
    await source.query(
      `INSERT INTO account_domains (id, account_id, name, token, created_by, verified)
       VALUES ($1, $3, 'proven.' || $4::text, '', '', now()), ($2, $3, 'claimed.' || $4::text, '', '', NULL)`,
      [randomUUID(), randomUUID(), acme, domain],
    );
    const former = await list();
    expect(former.rules).toMatchObject([
      { provider: 'work', value: 'eng', groupName: 'Engineers', users: 1, provisioned: false },
      { value: 'ops', users: 0 },
    ]);
    expect(former.groups?.map(({ name }) => name)).toEqual(['Developers', 'Engineers', 'Operations']);
    expect([new Set(former.domains), former.homeProvisioned]).toEqual([new Set([domain, `proven.${domain}`]), false]);
    await set(rule('ops', 'Operations'), rule('eng', 'Engineers'));
    expect(await groupOf()).toBe('Engineers');
    const reordered = (await audited('group_rule.', 3)).slice(2);
    expect(reordered.map(({ action }) => action)).toEqual(['group_rule.reorder']);
    await set(rule('ops', 'Operations'), rule('new', 'Engineers'));
    expect(await groupOf()).toBe('Members');
    const events = (await audited('group_rule.', 5)).slice(3);
    expect(events.map(({ action, target, details }) => [action, target?.name, JSON.parse(details)])).toEqual([
      [
        'group_rule.delete',
        'Engineers',
        { provider: 'work', provider_group: 'eng', moved_users: 1, moved_to: 'Members' },
      ],
      ['group_rule.create', 'Engineers', { provider: 'work', provider_group: 'new' }],
    ]);
    await until(() => eventsSince(reordered[0]?.id).some(({ kind }) => kind.case === 'userChanged'));
  });

  it('are refused if they have changed since they were read', async () => {
    const { version = '' } = await set(rule('eng', 'Engineers'));
    await set(rule('ops', 'Operations'));
    const again = rules.set(owner(), { accountId: acme, rules: [], version, domains: [] });
    await expect(again).rejects.toMatchObject({ code: 'failed_precondition' });
    const now = await list();
    expect(now.rules).toHaveLength(1);
    await rules.set(owner(), { accountId: acme, rules: [], version: now.version ?? '', domains: [] });
  });

  it.each([
    ['a group with the role Admin', () => [rule('eng', 'Admins')], 'rules.0.group', /role Admin/],
    ['the owners', () => [rule('eng', 'Account Owners')], 'rules.0.group', /role Owner/],
    ['the default group', () => [rule('eng', 'Members')], 'rules.0.group', /without a rule/],
    ['an unknown group', () => [rule('eng', randomUUID())], 'rules.0.group', /group of this account/],
    ['text in place of a group', () => [rule('eng', 'x')], 'rules.0.group', /group of this account/],
    ['an empty value', () => [rule(' ', 'Engineers')], 'rules.0.value', /1 to 256 characters/],
    [
      'a provider that none can be',
      () => [rule('eng', 'Engineers', 'No One')],
      'rules.0.provider',
      /identity provider/,
    ],
    ['the same twice', () => [rule('eng', 'Engineers'), rule(' eng', 'Operations')], 'rules.1.value', /rule 1 is for/],
    ['too many', () => Array.from({ length: 201 }, (_, at) => rule(`g${at}`, 'Engineers')), 'rules', /at most 200/],
  ])('are not for %s', async (_what, wanted, field, message) => {
    await expect(set(...wanted())).rejects.toMatchObject({
      code: 'invalid_argument',
      problems: [{ field, message: expect.stringMatching(message) }],
    });
  });

  it("are not another account's, and not for Admins and Members", async () => {
    await set(rule('eng', 'Engineers'));
    for (const caller of [owner(zebra), user(acme, Role.ADMIN), user(acme, Role.MEMBER)]) {
      for (const call of [
        () => list(caller),
        () => rules.set(caller, { accountId: acme, rules: [], version: '', domains: [] }),
      ])
        await expect(call()).rejects.toHaveProperty('code', expect.stringMatching(/not_found|permission_denied/));
    }
    const wanted = { accountId: zebra, rules: [rule('eng', 'Engineers')], version: '', domains: [] };
    const foreign = rules.set(owner(zebra), wanted);
    await expect(foreign).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field: 'rules.0.group' }] });
    expect((await list(owner(zebra), zebra)).rules).toEqual([]);
  });

  it('go with their group', async () => {
    await set(rule('eng', 'Engineers'));
    await signIn(['eng']);
    await app.get(GroupManagement).remove(owner(), { id: groups['Engineers'] ?? '' });
    expect((await list()).rules).toEqual([]);
    const [event] = await audited('group.delete', 1);
    expect(JSON.parse(event?.details ?? '{}')).toMatchObject({ removed_rules: 1, moved_users: 1 });
    expect(await signIn(['eng'])).toMatchObject({ group: 'Members', outcome: NO_RULES });
  });
});

describe('groups of SCIM', () => {
  async function provision(id: string) {
    const tokens = app.get(ScimTokensService);
    const { secret } = await tokens.create(owner(), { accountId: acme, name: 'Entra', days: 30 });
    const { tokenId } = await tokens.verify(GATEWAY, { secret });
    await app
      .get(ScimGroupsService)
      .change(GATEWAY, create(ChangeScimGroupRequestSchema, { tokenId, id, externalId: 'e1' }));
  }

  it('are no targets of new rules; former rules do nothing, and leave their users to SCIM', async () => {
    await set(rule('eng', 'Engineers'));
    await signIn(['eng']);
    await provision(groups['Engineers'] ?? '');
    expect((await list()).rules).toMatchObject([{ provisioned: true }]);
    expect(await signIn([])).toMatchObject({ group: 'Engineers', outcome: PLACED });
    await expect(set(rule('eng', 'Engineers'), rule('dev', 'Engineers'))).rejects.toMatchObject({
      problems: [{ field: 'rules.1.group', message: expect.stringMatching(/SCIM provisions Engineers/) }],
    });
    await set();
    expect(await groupOf()).toBe('Engineers');
  });

  it('with Members among them leave its users where SCIM has them', async () => {
    await set(rule('eng', 'Engineers'));
    await provision(groups['Members'] ?? '');
    expect((await list()).homeProvisioned).toBe(true);
    expect(await signIn(['eng'])).toMatchObject({ group: 'Members', outcome: PLACED });
  });
});
