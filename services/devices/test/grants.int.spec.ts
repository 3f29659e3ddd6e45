import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { rightsOn } from '@warren/platform/policy/device.access';
import { requireUser, serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import {
  AccessGrantSchema,
  DevicePermission,
  PageRequestSchema,
  Role,
  UserCallerSchema,
  type AccessGrant,
} from '@warren/proto/common/v1/common';
import { ActivityKind, DeviceSort } from '@warren/proto/devices/v1/devices';
import { BulkAction } from '@warren/proto/devices/v1/bulk';
import { matches } from '@warren/rules/filter/match';
import { parseFilter } from '@warren/rules/filter/parse';
import { v7 as uuidv7 } from 'uuid';
import { filterIn, scopeOf } from '../src/access/scope.ts';
import { AccessService } from '../src/devices/device-access.service.ts';
import { BulkService } from '../src/bulk/bulk.service.ts';
import { DevicesService } from '../src/devices/devices.service.ts';
import { WebServiceLookup } from '../src/devices/web-service.lookup.ts';
import { ActivityService } from '../src/activity/activity.service.ts';
import { TrendService } from '../src/activity/trend.service.ts';
import { LabelsService } from '../src/labels/labels.service.ts';
import { user } from './callers.ts';
import { DevicesWorld } from './devices.world.ts';
import { pick, random, randomFilter, RandomFleet } from './random.fleet.ts';

const { VIEW, TERMINAL, DESKTOP, WEB, MANAGE } = DevicePermission;
const HOUR = 3_600_000;

function grant(permissions: DevicePermission[], filter: string, expires?: Date): AccessGrant {
  const until = expires ? { expires: timestampFromDate(expires) } : {};
  return create(AccessGrantSchema, { id: uuidv7(), permissions, filter, ...until });
}

describe('explicit grants', () => {
  let world: DevicesWorld;
  let fleet: RandomFleet;
  const acme = uuidv7();
  const zebra = uuidv7();
  const names = new Map([
    [acme, 'Acme'],
    [zebra, 'Zebra'],
  ]);

  beforeAll(async () => {
    world = await DevicesWorld.start(names);
    fleet = await RandomFleet.store(world.source, names);
  });
  afterAll(() => world.end());

  const member = (grants: AccessGrant[], accountId = acme): Caller => {
    const known = { userId: uuidv7(), email: 'ann@example.com', name: 'Ann', operator: false };
    return userCaller(
      create(UserCallerSchema, { ...known, accountId, role: Role.MEMBER, explicitGrants: true, grants }),
    );
  };

  /** What the decision function says, from filters that were matched in memory. */
  function expectedRights(caller: Caller, id: string) {
    const device = fleet.devices.get(id);
    const person = requireUser(caller);
    const holding = person.grants.filter(({ filter }) => {
      const parsed = parseFilter(filter);
      return parsed.ok && device && matches(parsed.filter, device, Date.now());
    });
    return rightsOn(person, device?.account.id ?? '', holding).map(({ permission, grantId }) => ({
      permission,
      grantId,
    }));
  }

  it('without a filter are read as no condition at all', async () => {
    const scope = scopeOf(member([grant([VIEW], ''), grant([TERMINAL], 'os~linux')]), acme);
    expect(await filterIn(world.source, scope)).toEqual({ accountId: acme });
  });

  async function listed(caller: Caller, filter = '') {
    const ask = (page: number) =>
      world.app.get(DevicesService).list(caller, {
        accountId: '',
        sort: DeviceSort.NAME,
        filter,
        page: create(PageRequestSchema, { page, limit: 200 }),
      });
    const pages = await Promise.all([1, 2].map(ask));
    return { devices: pages.flatMap(({ devices = [] }) => devices), total: pages[0]?.total };
  }

  const shown = (rights: { permission?: DevicePermission; grantId?: string }[] = []) =>
    rights.map(({ permission, grantId }) => ({ permission, grantId }));

  it('mean the same to list, get and open, for every device', async () => {
    for (let round = 0; round < 12; round++) {
      const grants = Array.from({ length: Math.floor(random() * 9) }, () => {
        const permissions = [VIEW, TERMINAL, DESKTOP, WEB, MANAGE].filter(() => random() < 0.5);
        const expires = pick([undefined, undefined, new Date(Date.now() + HOUR), new Date(Date.now() - HOUR)]);
        return grant(permissions.length > 0 ? permissions : [VIEW], randomFilter(2), expires);
      });
      const caller = member(grants, pick([acme, zebra]));
      const ids = [...fleet.devices.keys()];
      const expected = new Map(ids.map((id) => [id, expectedRights(caller, id)]));
      const viewed = ids.filter((id) => expected.get(id)?.some(({ permission }) => permission === VIEW)).sort();

      const list = await listed(caller);
      expect({ grants, total: list.total, ids: list.devices.map(({ id }) => id).sort() }).toEqual({
        grants,
        total: viewed.length,
        ids: viewed,
      });
      for (const { id = '', rights = [] } of list.devices) expect(shown(rights)).toEqual(expected.get(id));

      const open = await world.app
        .get(AccessService)
        .check(serviceCaller('tunnels'), { user: requireUser(caller), deviceIds: ids });
      const opened = new Map((open.devices ?? []).map(({ deviceId = '', rights = [] }) => [deviceId, shown(rights)]));
      expect(opened).toEqual(new Map([...expected].filter(([id]) => viewed.includes(id))));

      const got = new Map<string, unknown>();
      for (const id of ids) {
        const { device } = await world.app
          .get(DevicesService)
          .get(caller, { id })
          .catch((error: unknown) => {
            if ((error as { code?: string }).code !== 'not_found') throw error;
            return { device: undefined };
          });
        if (device) got.set(id, shown(device.rights as never));
      }
      expect(got).toEqual(opened);
    }
  });

  describe('of the north', () => {
    const north = member([grant([VIEW, TERMINAL], 'site=north'), grant([VIEW, MANAGE], 'ring=canary')]);
    let seen: string[];
    let hidden: string;
    let manageable: string[];

    beforeAll(() => {
      seen = fleet.expected('site=north or ring=canary', acme);
      manageable = fleet.expected('ring=canary', acme);
      hidden = fleet.expected('-(site=north or ring=canary)', acme)[0] ?? '';
    });

    it('filter within what is seen, and count it', async () => {
      const { devices } = await listed(north, 'os~bookworm');
      const ids = fleet.expected('(site=north or ring=canary) os~bookworm', acme);
      expect(devices.map(({ id }) => id).sort()).toEqual(ids);
      const counts = await world.app.get(DevicesService).counts(north, { accountId: '' });
      expect(counts.total).toBe(seen.length);
      const { keys } = await world.app.get(LabelsService).list(north, { accountId: '' });
      expect(keys?.find(({ key }) => key === 'site')?.count).toBe(
        fleet.expected('(site=north or ring=canary) label:site', acme).length,
      );
    });

    it('hide all else, by id, serial, address and in the history', async () => {
      const device = fleet.devices.get(hidden);
      const missing = { code: 'not_found' };
      const app = world.app;
      await expect(app.get(DevicesService).get(north, { id: hidden })).rejects.toMatchObject(missing);
      await expect(app.get(DevicesService).getBySerial(north, { serial: device?.serial ?? '' })).rejects.toMatchObject(
        missing,
      );
      await expect(app.get(WebServiceLookup).get(north, { slug: hidden })).rejects.toMatchObject(missing);
      await expect(app.get(ActivityService).presence(north, { id: hidden, hours: 1 })).rejects.toMatchObject(missing);
      await expect(app.get(ActivityService).events(north, { id: hidden, from: 0, to: 1 })).rejects.toMatchObject(
        missing,
      );
      await expect(app.get(LabelsService).setNotes(north, { id: hidden, notes: 'x' })).rejects.toMatchObject(missing);
      const other = fleet.expected('site=north', zebra)[0] ?? '';
      await expect(app.get(DevicesService).get(north, { id: other })).rejects.toMatchObject(missing);
      for (const [id, of] of [hidden, seen[0] ?? ''].entries())
        await world.source.query(
          `INSERT INTO device_history (at, account_id, device_id, kind, device_name, detail, actor) VALUES (now(), $1, $2, $3, $4, '', '')`,
          [acme, of, ActivityKind.RENAMED, `of ${id}`],
        );
      const { activity } = await app.get(ActivityService).list(north, { accountId: '', limit: 50 });
      expect(activity?.map(({ deviceId }) => deviceId)).toEqual([seen[0]]);
    });

    it('count the past of what is seen', async () => {
      const connected = fleet.expected('(site=north or ring=canary) status=connected', acme);
      // One of them was away until a while ago.
      await world.source.query(
        `INSERT INTO device_history (at, account_id, device_id, kind, device_name, detail, actor)
         VALUES (now() - interval '40 minutes', $1, $2, $3, '', '', '')`,
        [acme, connected[0], ActivityKind.CONNECTED],
      );
      const { counts = [] } = await world.app.get(TrendService).trend(north, { accountId: '', hours: 1 });
      expect(counts.at(-1)).toMatchObject({ total: seen.length, connected: connected.length });
      expect(counts[0]).toMatchObject({ connected: connected.length - 1 });
    });

    it('let manage reboot what it is for, and do nothing else', async () => {
      const bulk = world.app.get(BulkService);
      const start = (action: BulkAction, ids: string[], filter = '') =>
        bulk.start(north, { action, ids, filter, accountId: '', targetAccountId: '', atMost: 0 });
      await expect(start(BulkAction.DELETE, [manageable[0] ?? ''])).rejects.toMatchObject({
        code: 'permission_denied',
      });
      const viewable = fleet.expected('site=north -ring=canary status=connected', acme)[0] ?? '';
      const { job } = await start(BulkAction.REBOOT, [viewable, hidden]);
      const failures = new Map(job?.failures?.map(({ code, count }) => [code, count]));
      expect(failures).toEqual(
        new Map([
          ['not_found', 1],
          ['permission_denied', 1],
        ]),
      );
      const all = await start(BulkAction.REBOOT, [], 'os~bookworm or -os~bookworm');
      const total = all.job?.counts?.total;
      expect(total).toBe(seen.length);
      const allowed = (all.job?.failures ?? []).find(({ code }) => code === 'permission_denied')?.count;
      expect(allowed).toBe(seen.length - manageable.length);
    });

    it('restrict nobody but members', async () => {
      for (const role of [Role.OWNER, Role.ADMIN]) {
        const caller = user(acme, role);
        requireUser(caller).explicitGrants = true;
        expect((await listed(caller)).total).toBe(fleet.expected('', acme).length);
      }
    });
  });

  it('answer what they find to those who manage them', async () => {
    const access = world.app.get(AccessService);
    const owner = user(acme, Role.OWNER);
    const id = fleet.expected('site=north', acme)[0] ?? '';
    expect(await access.match(owner, { deviceId: id, filters: ['site=north', 'site=south', '(', ''] })).toEqual({
      matches: [true, false, false, true],
    });
    const denied = { code: 'permission_denied' };
    await expect(access.match(user(acme, Role.MEMBER), { deviceId: id, filters: [] })).rejects.toMatchObject(denied);
    await expect(access.check(owner, { deviceIds: [id] })).rejects.toMatchObject(denied);
  });
});
