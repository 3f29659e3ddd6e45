import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { until } from '@warren/infra/until';
import { Role } from '@warren/proto/common/v1/common';
import { ChangeScimGroupRequestSchema } from '@warren/proto/tenancy/v1/scim';
import { GroupMappingOutcome, ProviderGroupsProblem } from '@warren/proto/tenancy/v1/tenancy';
import { randomUUID } from 'node:crypto';
import { GroupManagement } from '../src/lifecycle/group-management.service.ts';
import { MembersService } from '../src/members/members.service.ts';
import { ScimGroupsService } from '../src/scim/scim.groups.service.ts';
import { ScimTokensService } from '../src/scim/scim.tokens.service.ts';
import { UserAdministration } from '../src/users/user.administration.ts';
import { user } from './callers.ts';
import { GATEWAY, GroupRulesWorld } from './group-rules.world.ts';

const { MOVED, KEPT, NO_RULES, UNKNOWN, PLACED, ROLE } = GroupMappingOutcome;
const { UNSPECIFIED } = ProviderGroupsProblem;

const world = new GroupRulesWorld();
const { owner, rule, set, list, signIn, groupOf, idOf, eventsSince, audited } = world;

beforeAll(() => world.start());
afterAll(() => world.stop());
beforeEach(() => world.seed());

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
    expect(counted().sort()).toEqual([world.groups['Members'], world.groups['Operations']].sort());
  });

  it('leaves the membership as it is while the groups are not known, or not asked for', async () => {
    await set(rule('eng', 'Engineers'));
    await signIn(['eng']);
    expect(await signIn(null)).toMatchObject({ group: 'Engineers', outcome: UNKNOWN });
    const identity = { provider: 'work', subject: 'mia' };
    const member = await world.app
      .get(MembersService)
      .resolve(GATEWAY, { email: `mia@${world.domain}`, name: '', identity, bind: true });
    expect([member.user?.groupName, member.groupMapping]).toEqual(['Engineers', undefined]);
  });

  it('says before the groups are stated whether the account has rules, of any provider', async () => {
    const asked = async (more: object = { bind: true }) => {
      const question = { email: `mia@${world.domain}`, name: '', identity: { provider: 'work', subject: 'mia' } };
      return (await world.app.get(MembersService).resolve(GATEWAY, { ...question, ...more })).groupRules;
    };
    expect(await asked()).toBe(false);
    await set(rule('eng', 'Engineers', 'school'));
    expect(await asked()).toBe(true);
    await signIn(['eng'], { provider: 'work' });
    await set();
    expect([await asked(), await groupOf()]).toEqual([false, 'Members']);
    expect(await asked({ bind: false })).toBeUndefined();
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
    const users = world.app.get(UserAdministration);
    const move = (group: string) =>
      users.move(owner(), { id, groupId: world.groups[group] ?? '', oldGroupId: '', accountId: world.acme });
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
    const zoe = { email: `zoe@zebra.${world.domain}`, name: '', identity, bind: true, groups: stated };
    const member = await world.app.get(MembersService).resolve(GATEWAY, zoe);
    expect([member.user?.groupName, member.groupMapping?.outcome]).toEqual(['Members', NO_RULES]);
    // Another person at the address is nobody, and moves nobody.
    const other = { ...zoe, email: `mia@${world.domain}`, identity: { provider: 'guests', subject: 'eve' } };
    expect(await world.app.get(MembersService).resolve(GATEWAY, other)).toEqual({ identityMismatch: true });
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
    await world.source.query(
      `INSERT INTO account_domains (id, account_id, name, token, created_by, verified)
       VALUES ($1, $3, 'proven.' || $4::text, '', '', now()), ($2, $3, 'claimed.' || $4::text, '', '', NULL)`,
      [randomUUID(), randomUUID(), world.acme, world.domain],
    );
    const former = await list();
    expect(former.rules).toMatchObject([
      { provider: 'work', value: 'eng', groupName: 'Engineers', users: 1, provisioned: false },
      { value: 'ops', users: 0 },
    ]);
    expect(former.groups?.map(({ name }) => name)).toEqual(['Developers', 'Engineers', 'Operations']);
    expect([new Set(former.domains), former.homeProvisioned]).toEqual([
      new Set([world.domain, `proven.${world.domain}`]),
      false,
    ]);
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
    const again = world.rules.set(owner(), { accountId: world.acme, rules: [], version, domains: [] });
    await expect(again).rejects.toMatchObject({ code: 'failed_precondition' });
    const now = await list();
    expect(now.rules).toHaveLength(1);
    await world.rules.set(owner(), { accountId: world.acme, rules: [], version: now.version ?? '', domains: [] });
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
    for (const caller of [owner(world.zebra), user(world.acme, Role.ADMIN), user(world.acme, Role.MEMBER)]) {
      for (const call of [
        () => list(caller),
        () => world.rules.set(caller, { accountId: world.acme, rules: [], version: '', domains: [] }),
      ])
        await expect(call()).rejects.toHaveProperty('code', expect.stringMatching(/not_found|permission_denied/));
    }
    const wanted = { accountId: world.zebra, rules: [rule('eng', 'Engineers')], version: '', domains: [] };
    const foreign = world.rules.set(owner(world.zebra), wanted);
    await expect(foreign).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field: 'rules.0.group' }] });
    expect((await list(owner(world.zebra), world.zebra)).rules).toEqual([]);
  });

  it('go with their group', async () => {
    await set(rule('eng', 'Engineers'));
    await signIn(['eng']);
    await world.app.get(GroupManagement).remove(owner(), { id: world.groups['Engineers'] ?? '' });
    expect((await list()).rules).toEqual([]);
    const [event] = await audited('group.delete', 1);
    expect(JSON.parse(event?.details ?? '{}')).toMatchObject({ removed_rules: 1, moved_users: 1 });
    expect(await signIn(['eng'])).toMatchObject({ group: 'Members', outcome: NO_RULES });
  });
});

describe('groups of SCIM', () => {
  async function provision(id: string) {
    const tokens = world.app.get(ScimTokensService);
    const { secret } = await tokens.create(owner(), { accountId: world.acme, name: 'Entra', days: 30 });
    const { tokenId } = await tokens.verify(GATEWAY, { secret });
    await world.app
      .get(ScimGroupsService)
      .change(GATEWAY, create(ChangeScimGroupRequestSchema, { tokenId, id, externalId: 'e1' }));
  }

  it('are no targets of new rules; former rules do nothing, and leave their users to SCIM', async () => {
    await set(rule('eng', 'Engineers'));
    await signIn(['eng']);
    await provision(world.groups['Engineers'] ?? '');
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
    await provision(world.groups['Members'] ?? '');
    expect((await list()).homeProvisioned).toBe(true);
    expect(await signIn(['eng'])).toMatchObject({ group: 'Members', outcome: PLACED });
  });
});
