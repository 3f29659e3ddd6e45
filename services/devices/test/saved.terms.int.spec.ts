import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import {
  AccessGrantSchema,
  DevicePermission,
  FilterUseKind,
  PageRequestSchema,
  Role,
  SortOrder,
  UserCallerSchema,
} from '@warren/proto/common/v1/common';
import { BulkAction } from '@warren/proto/devices/v1/bulk';
import { DeviceSort } from '@warren/proto/devices/v1/devices';
import { SavedFilterSchema, SavedFilterScope } from '@warren/proto/devices/v1/filters';
import { DeviceQuerySchema } from '@warren/proto/devices/v1/matching';
import { createTestDatabase, type TestDatabase } from '@warren/infra/test-database';
import { migrate } from '@warren/platform/database/migrate';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { databaseOptions } from '../src/database.ts';
import { KeyFilters1796936400000 } from '../src/migrations/20261210-key-filters.ts';
import { BulkService } from '../src/bulk/bulk.service.ts';
import { AccessService } from '../src/devices/device-access.service.ts';
import { DevicesService } from '../src/devices/devices.service.ts';
import { FilterExpansion } from '../src/filters/filter.keys.ts';
import { SavedFiltersService } from '../src/filters/saved.filters.service.ts';
import { MatchingService } from '../src/matching/matching.service.ts';
import { byToken, user } from './callers.ts';
import { DevicesWorld } from './devices.world.ts';

const { VIEW } = DevicePermission;
const fleet = serviceCaller('fleet');

describe('saved filters that others name', () => {
  let world: DevicesWorld;
  const acme = uuidv7();
  const zebra = uuidv7();
  const owner = user(acme, Role.OWNER);
  const stranger = user(zebra, Role.OWNER);
  let recent = false;
  const device = new Map<string, string>();
  let upgradedKeys: Record<string, string | null>;

  beforeAll(async () => {
    const names = new Map([
      [acme, 'Acme'],
      [zebra, 'Zebra'],
    ]);
    world = await DevicesWorld.start(names, upgraded, {
      resolveMember: async () => ({ recentSignIn: { minutes: 15, terminals: false, manage: false, grants: recent } }),
    });
    upgradedKeys = Object.fromEntries(
      (await world.source.query<{ name: string; key: string | null }[]>('SELECT name, key FROM saved_filters')).map(
        ({ name, key }) => [name, key],
      ),
    );
    for (const [account, site] of [
      [acme, 'north'],
      [acme, 'south'],
      [zebra, 'north'],
      [zebra, 'south'],
    ] as const) {
      const { id } = await world.enrol(account);
      device.set(`${account} ${site}`, id);
      await world.source.query(`INSERT INTO device_labels (device_id, key, value) VALUES ($1, 'site', $2)`, [id, site]);
    }
  });
  afterAll(() => world.end());
  beforeEach(async () => {
    world.users.clear();
    recent = false;
    await world.source.query('DELETE FROM saved_filters');
  });

  /** A database with filters that 0.1.0 has saved. */
  async function upgraded(): Promise<TestDatabase> {
    const database = await createTestDatabase('devices');
    const options = databaseOptions({ DATABASE_URL: database.url, DATABASE_POOL: 2 });
    const before = options.migrations.slice(0, options.migrations.indexOf(KeyFilters1796936400000 as never));
    await migrate({ ...options, migrations: before });
    const former = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    try {
      for (const [name, userId] of [
        ['Hot in the North!', null],
        ['hot in the north', null],
        ['Süd', null],
        ['…', null],
        ['Own', uuidv7()],
      ])
        await former.query(
          `INSERT INTO saved_filters (id, account_id, user_id, name, filter, sort, descending, columns)
           VALUES ($1, $2, $3, $4, '', 'name', false, '{}')`,
          [uuidv7(), acme, userId, name],
        );
    } finally {
      await former.destroy();
    }
    await migrate(options);
    return database;
  }

  const filters = () => world.app.get(SavedFiltersService);
  const save = async (init: MessageInitShape<typeof SavedFilterSchema>, caller: Caller = owner) =>
    (await filters().save(caller, { filter: create(SavedFilterSchema, { scope: SavedFilterScope.ACCOUNT, ...init }) }))
      .filter;
  const at = (account: string, site: string) => device.get(`${account} ${site}`) ?? '';
  const listed = async (filter: string, caller: Caller = owner) => {
    const page = create(PageRequestSchema, { page: 1, limit: 200, order: SortOrder.ASC });
    const request = { accountId: '', sort: DeviceSort.NAME, sortLabel: '', filter, page };
    return (await world.app.get(DevicesService).list(caller, request)).devices?.map(({ id }) => id).sort();
  };
  /** A member whom a grant lets view what a filter finds. */
  const granted = (filter: string) => {
    const expires = timestampFromDate(new Date(Date.now() + 3_600_000));
    const grants = [create(AccessGrantSchema, { id: uuidv7(), permissions: [VIEW], filter, expires })];
    const known = { userId: uuidv7(), email: 'ann@example.com', name: 'Ann', accountId: acme, explicitGrants: true };
    return create(UserCallerSchema, { ...known, role: Role.MEMBER, grants });
  };
  const viewed = async (filter: string) => {
    const request = { user: granted(filter), deviceIds: [...device.values()] };
    const { devices } = await world.app.get(AccessService).check(serviceCaller('tunnels'), request);
    const ids = devices?.map(({ deviceId }) => deviceId).sort();
    // The list compiles grants in another way, and has to agree.
    expect(await listed('', userCaller(granted(filter)))).toEqual(ids);
    return ids;
  };
  const matched = async (filter: string, accountIds = [acme]) => {
    const queries = [create(DeviceQuerySchema, { accountIds, filter })];
    const { answers } = await world.app.get(MatchingService).match(fleet, { queries, after: '' });
    return { undecided: answers[0]?.undecided ?? '', ids: answers[0]?.matches?.map(({ deviceId }) => deviceId) ?? [] };
  };

  it('find by lists, grants, alerts and bulk jobs what they select by now', async () => {
    const { id = '', key = '' } = (await save({ name: 'Far north', filter: 'site=north' })) ?? {};
    expect(key).toBe('far-north');
    const [north, south] = [at(acme, 'north'), at(acme, 'south')];
    expect(await listed('in:far-north')).toEqual([north]);
    expect(await listed('-in:far-north')).toEqual([south]);
    expect(await viewed('in:far-north')).toEqual([north]);
    expect(await matched('in:far-north')).toEqual({ undecided: '', ids: [north] });
    await save({ id, name: 'South now', filter: 'site=south' });
    expect(await listed('in:far-north')).toEqual([south]);
    expect(await viewed('in:far-north')).toEqual([south]);
    expect(await matched('in:far-north')).toEqual({ undecided: '', ids: [south] });
    const request = { action: BulkAction.REBOOT, ids: [], accountId: acme, targetAccountId: '', atMost: 0 };
    const { job } = await world.app.get(BulkService).start(world.superAdmin, { ...request, filter: 'in:far-north' });
    expect(job).toMatchObject({ filter: 'in:far-north', failures: [{ devices: [{ id: south }] }] });
  });

  it("mean the filters of the device's account, and never another account's", async () => {
    await save({ name: 'Ours', filter: 'site=north' });
    await save({ name: 'Ours', filter: 'site=south', accountId: zebra }, stranger);
    await save({ name: 'Theirs', filter: 'site=north or site=south', accountId: zebra }, stranger);
    expect(await listed('in:ours')).toEqual([at(acme, 'north')]);
    expect(await listed('in:ours', world.superAdmin)).toEqual([at(acme, 'north'), at(zebra, 'south')].sort());
    expect(await listed('in:theirs', world.superAdmin)).toEqual([at(zebra, 'north'), at(zebra, 'south')].sort());
    await expect(listed('in:theirs')).rejects.toMatchObject({ problems: [{ field: 'filter' }] });
    expect(await viewed('in:theirs')).toEqual([]);
    expect((await matched('in:theirs')).undecided).toContain('theirs');
  });

  it('hold for no device while one is not there, also below a negation', async () => {
    await save({ name: 'Ours', filter: 'site=north' });
    for (const filter of ['-in:gone', 'in:ours or -in:gone', 'in:ours or in:gone']) {
      expect(await viewed(filter)).toEqual([]);
      expect(await matched(filter)).toEqual({ undecided: expect.stringContaining('gone'), ids: [] });
      await expect(listed(filter)).rejects.toMatchObject({ code: 'invalid_argument' });
    }
    // In no account without all of them.
    await save({ name: 'Gone', filter: 'site=south', accountId: zebra }, stranger);
    expect(await listed('-in:gone', world.superAdmin)).toEqual([at(zebra, 'north')]);
  });

  it('never make a grant of what a grant can not select by', async () => {
    // As a change that was made while grants could not name filters.
    await save({ name: 'Hot', filter: 'site=north' });
    await world.source.query(`UPDATE saved_filters SET filter = 'cpu>=0 or cpu<=0' WHERE key = 'hot'`);
    expect(await viewed('in:hot')).toEqual([]);
    expect(await viewed('-in:hot')).toEqual([]);
  });

  it('can not be deleted, which says what names them', async () => {
    const { id = '' } = (await save({ name: 'North', filter: 'site=north' })) ?? {};
    await save({ name: 'North and hot', filter: 'in:north cpu>80' });
    world.users.rule(acme, 'Offline', 'in:north');
    world.users.grant(acme, 'Ann', '-in:north');
    world.users.grant(acme, 'Bob', 'in:northern');
    const message = expect.stringMatching(/“North and hot”, the alert rule “Offline” and the grant for “Ann”/);
    await expect(filters().delete(owner, { id })).rejects.toMatchObject({ code: 'failed_precondition', message });
    // Who may not see grants learns how many there are.
    const token = byToken(owner, ['devices.read', 'devices.label']);
    await expect(filters().delete(token, { id })).rejects.toMatchObject({
      message: expect.not.stringContaining('Ann'),
    });
    world.users.down = true;
    await expect(filters().delete(owner, { id })).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('are changed by those alone who may change the grants that name them', async () => {
    const { id = '' } = (await save({ name: 'North', filter: 'site=north' })) ?? {};
    world.users.grant(acme, 'Ann', 'in:north');
    const wider = { id, name: 'North', filter: 'site=north or site=south' };
    const token = byToken(owner, ['devices.read', 'devices.label', 'grants.read']);
    await expect(save(wider, token)).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('the grant for “Ann”'),
    });
    recent = true;
    await expect(save(wider)).rejects.toMatchObject({ code: 'recent_sign_in_required' });
    recent = false;
    // Its name and its columns change no grant.
    await save({ id, name: 'Renamed', filter: 'site=north', columns: ['cpu'] }, token);
    expect(await viewed('in:north')).toEqual([at(acme, 'north')]);
    await save(wider);
    expect(await viewed('in:north')).toEqual([at(acme, 'north'), at(acme, 'south')].sort());
  });

  it('are added by those alone who may change grants that name them already', async () => {
    world.users.grant(acme, 'Ann', 'in:lost');
    const token = byToken(owner, ['devices.read', 'devices.label', 'grants.read']);
    const lost = { name: 'Lost', filter: 'site=north' };
    await expect(save(lost, token)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await viewed('in:lost')).toEqual([]);
    await save(lost);
    expect(await viewed('in:lost')).toEqual([at(acme, 'north')]);
  });

  it.each([
    ['what a grant can not select by', 'cpu>50', 'the grant for “Ann”'],
    ['every device', '', 'is empty'],
    ['others', 'in:other', 'uses other views, so no filter can use it'],
    ['more than fits', Array.from({ length: 31 }, (_, at) => `a${at}=x`).join(' '), 'at most 32 terms'],
  ])('do not become %s', async (_what, filter, message) => {
    const { id = '' } = (await save({ name: 'North', filter: 'site=north' })) ?? {};
    await save({ name: 'Other', filter: 'site=south' });
    world.users.grant(acme, 'Ann', 'in:north ring=1 name~pump');
    const code = 'failed_precondition';
    await expect(save({ id, name: 'North', filter })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('can’t be used while they change', async () => {
    const { id = '' } = (await save({ name: 'North', filter: 'site=north' })) ?? {};
    const expand = (filter: string, accountId = acme) =>
      world.app.get(FilterExpansion).expand(fleet, { accountId, filter });
    expect(await expand('in:north cpu>5')).toEqual({ filter: 'site=north cpu>5' });
    await expect(expand('in:north', zebra)).rejects.toMatchObject({ code: 'invalid_argument' });
    await expect(world.app.get(FilterExpansion).expand(owner, { accountId: acme, filter: '' })).rejects.toMatchObject({
      code: 'permission_denied',
    });
    const seen: unknown[] = [];
    world.users.beforeAnswer = async () => void seen.push(await expand('in:north').catch((error: unknown) => error));
    await save({ id, name: 'North', filter: 'site=south' });
    expect(seen).toEqual([expect.objectContaining({ code: 'unavailable' })]);
    expect(await expand('in:north')).toEqual({ filter: 'site=south' });
  });

  it('of 0.1.0 have keys where names are of ASCII characters', () => {
    const { 'hot in the north': second, ...others } = upgradedKeys;
    expect(others).toEqual({ 'Hot in the North!': 'hot-in-the-north', Süd: null, '…': null, Own: null });
    expect(second).toMatch(/^hot-in-the-north-[0-9a-f]{8}$/);
  });

  it('have keys that stay, different ones in an account', async () => {
    const first = await save({ name: 'Hot!', filter: 'cpu>80' });
    const second = await save({ name: 'Hot?', filter: 'cpu>90' });
    expect([first?.key, second?.key]).toEqual(['hot', 'hot-2']);
    await expect(save({ name: 'Other', key: 'hot' })).rejects.toMatchObject({ code: 'already_exists' });
    await expect(save({ id: first?.id ?? '', name: 'Hot!', key: 'cold' })).rejects.toMatchObject({
      problems: [{ field: 'filter.key' }],
    });
    expect((await save({ name: 'Chosen', key: 'mine' }))?.key).toBe('mine');
    const theirs = await save({ name: 'Hot!', accountId: zebra }, stranger);
    expect(theirs?.key).toBe('hot');
    const own = await save({ name: 'Personal', scope: SavedFilterScope.PERSON, filter: 'in:nowhere' });
    expect(own?.key).toBe('');
  });

  it('are listed with what names them', async () => {
    await save({ name: 'North', filter: 'site=north' });
    await save({ name: 'Unused', filter: 'site=south' });
    world.users.rule(acme, 'Offline', 'in:north');
    world.users.grant(acme, 'Ann', 'in:north');
    const uses = async (caller: Caller) =>
      (await filters().list(caller, { accountId: acme, withUses: true })).filters?.map((one) =>
        one.uses?.map(({ kind }) => kind),
      );
    expect(await uses(owner)).toEqual([[FilterUseKind.ALERT_RULE, FilterUseKind.GRANT], []]);
    expect(await uses(user(acme, Role.MEMBER))).toEqual([[FilterUseKind.ALERT_RULE], []]);
  });
});
