import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { rightsOn } from '@warren/platform/policy/device.access';
import { permissionNames } from '@warren/platform/policy/permission.names';
import {
  AccessGrantSchema,
  DevicePermission,
  Role,
  UserCallerSchema,
  type AccessGrant,
} from '@warren/proto/common/v1/common';
import { DevicesService, type CountReachRequest, type MatchFiltersRequest } from '@warren/proto/devices/v1/devices';
import {
  AccessService,
  GrantSchema,
  RestrictableSchema,
  type Grant,
  type Restrictable,
} from '@warren/proto/tenancy/v1/access';
import { matches, type FilterDevice } from '@warren/rules/filter/match';
import { parseFilter } from '@warren/rules/filter/parse';
import { GRANT_PERMISSIONS, type GrantPermission } from '@warren/rules/grants';
import { ACCOUNT, DEVICE, person, shownTo, TestGateway, type Person } from './gateway.ts';

const { VIEW, TERMINAL, DESKTOP, WEB, MANAGE } = DevicePermission;
const id = (number: number) => `01997b5c-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
const CREW = id(0xc1);
const OTHERS = id(0xc2);
const SITES = ['north', 'south', 'east'];

/** 40 devices: 12 of the north, a quarter with the ring canary. */
const DEVICES = Array.from({ length: 40 }, (_, i): FilterDevice => {
  const labels = { site: i < 12 ? 'north' : (SITES[1 + (i % 2)] ?? ''), ring: i % 4 === 0 ? 'canary' : 'stable' };
  const texts = { hostname: '', serial: '', os: '', kernel: '', arch: '', model: '', agentVersion: '' };
  const rest = { connected: true, addresses: [], lastSeen: 0, created: 0, console: true, web: true, cores: 4 };
  return { id: id(i), name: `pump-${i}`, labels, account: { id: ACCOUNT, name: 'Acme' }, ...texts, ...rest } as never;
});

/** The devices that a filter holds for, as the devices service decides. */
function found(filter: string): FilterDevice[] {
  const parsed = parseFilter(filter);
  return parsed.ok ? DEVICES.filter((device) => matches(parsed.filter, device, 0)) : [];
}

const member = (
  number: number,
  name: string,
  more: { groupId?: string; groupName?: string; serviceAccount?: boolean } = {},
) =>
  create(RestrictableSchema, {
    id: id(0x100 + number),
    name,
    email: `m${number}@acme.test`,
    groupId: OTHERS,
    groupName: 'Others',
    ...more,
  });
const ofCrew = { groupId: CREW, groupName: 'Crew' };
const program = (number: number, name: string) =>
  member(number, name, { groupId: '', groupName: '', serviceAccount: true });

function grant(subject: NonNullable<Grant['subject']>['kind'], permissions: DevicePermission[], filter: string): Grant {
  grants.push(
    create(GrantSchema, { id: id(0x300 + grants.length), subject: { kind: subject, name: 'x' }, permissions, filter }),
  );
  return grants.at(-1)!;
}
const everyone = { case: 'everyone', value: true } as const;
const toGroup = (value: string) => ({ case: 'groupId', value }) as const;
const toUser = (value: string) => ({ case: 'userId', value }) as const;
const toProgram = (value: string) => ({ case: 'serviceAccountId', value }) as const;

/** The grants of a member, as tenancy finds them. */
function grantsOf(one: Restrictable): AccessGrant[] {
  const names = ({ subject }: Grant) => {
    const { case: kind, value } = subject!.kind;
    if (one.serviceAccount) return kind === 'serviceAccountId' && value === one.id;
    return kind === 'everyone' || value === one.id || value === one.groupId;
  };
  return grants
    .filter(names)
    .map((held) => create(AccessGrantSchema, { id: held.id, permissions: held.permissions, filter: held.filter }));
}

/** On how many devices a member has each permission: the decision about each device, one by one. */
function decided(one: Restrictable, explicitGrants: boolean): Record<GrantPermission, number> {
  const all = grantsOf(one);
  const user = create(UserCallerSchema, { userId: one.id, accountId: ACCOUNT, role: Role.MEMBER, explicitGrants });
  const names = DEVICES.flatMap((device) => {
    const holding = all.filter(({ filter }) => found(filter).includes(device));
    return permissionNames(rightsOn(user, ACCOUNT, holding).map(({ permission }) => permission));
  });
  const count = (name: GrantPermission) => names.filter((held) => held === name).length;
  return Object.fromEntries(GRANT_PERMISSIONS.map((name) => [name, count(name)])) as never;
}

let grants: Grant[] = [];
let members: Restrictable[] = [];
let isOperator = false;
/** Sets and filters of each call that counted. */
let counted: CountReachRequest[] = [];

describe('the access of an account', () => {
  let gateway: TestGateway;
  let owner: Person;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    owner = gateway.signIn(person('olga', Role.OWNER));
    gateway.services.serve(AccessService, {
      getAccess: async () => ({ grants, operator: isOperator }),
      listRestrictable: async (_caller, { after }) => {
        const rest = members.toSorted((one, other) => (one.id < other.id ? -1 : 1)).filter((one) => one.id > after);
        return { members: rest.slice(0, 50), next: rest.length > 50 ? (rest[49]?.id ?? '') : '' };
      },
      listMembersAccess: async () => ({
        total: 0,
        operators: [
          { role: Role.MEMBER, users: 3, serviceAccounts: 1 },
          { role: Role.SUPER_ADMIN, users: 2 },
        ],
      }),
    });
    gateway.services.serve(DevicesService, {
      getDevice: async (caller) => shownTo(caller),
      matchFilters: async (_caller, { filters }: MatchFiltersRequest) => ({ matches: filters.map(() => false) }),
      countReach: async (_caller, request: CountReachRequest) => {
        counted.push(request);
        const of = ({ places }: { places: number[] }) =>
          new Set(places.flatMap((place) => found(request.filters[place] ?? '('))).size;
        return { counts: request.sets.map(of), total: DEVICES.length };
      },
    });
  });
  beforeEach(() => {
    [grants, members, counted, isOperator] = [[], [], [], false];
  });
  afterAll(() => gateway?.stop());

  const preview = async (query = '') => {
    const answer = await gateway.get(`/api/accounts/${ACCOUNT}/access/preview${query}`, owner);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.json;
  };

  it('is previewed by permission, as the decision about each device says', async () => {
    members = [
      member(1, 'Zoe'),
      member(2, 'Ann Lee', ofCrew),
      member(3, 'Max'),
      member(4, 'Bob', ofCrew),
      member(5, ''),
      program(6, 'CI runner'),
      program(7, 'Idle'),
    ];
    grant(everyone, [VIEW, TERMINAL], 'site=north');
    grant(toGroup(CREW), [VIEW, WEB], 'ring=canary');
    grant(toGroup(CREW), [DESKTOP], 'site=south');
    grant(toUser(id(0x102)), [VIEW, TERMINAL, DESKTOP, WEB], '');
    grant(toUser(id(0x103)), [MANAGE], 'site=south');
    grant(toUser(id(0x103)), [VIEW, TERMINAL], 'ring=canary or site=north');
    grant(toProgram(id(0x106)), [VIEW, TERMINAL], 'site=north');
    const answer = await preview();
    const rows = [...answer.members, ...answer.service_accounts] as { id: string }[];
    expect(rows).toHaveLength(7);
    for (const one of members) {
      const [before, keeps] = [decided(one, false), decided(one, true)];
      const loses = Object.fromEntries(GRANT_PERMISSIONS.map((name) => [name, before[name] - keeps[name]]));
      expect(rows.find((row) => row.id === one.id)).toMatchObject({
        name: one.name,
        keeps,
        loses,
        devices: keeps.view,
      });
    }
    expect(answer.members.map(({ name }: { name: string }) => name)).toEqual(['', 'Zoe', 'Max', 'Bob', 'Ann Lee']);
    expect(answer.members.at(-1).loses).toEqual({ view: 0, terminal: 0, desktop: 0, web: 0, manage: 0 });
    expect(answer.service_accounts.map(({ name }: { name: string }) => name)).toEqual(['Idle', 'CI runner']);
    expect(answer.losing).toEqual({
      all: 5,
      members: 4,
      service_accounts: 2,
      permissions: { view: 6, terminal: 6, desktop: 6, web: 6, manage: 0 },
    });
  });

  it('takes terminals from a member who keeps the view of every device', async () => {
    members = [member(1, 'Ann Lee')];
    grant(everyone, [VIEW], '');
    grant(everyone, [VIEW, TERMINAL], 'site=north');
    const { members: shown, losing } = await preview();
    expect(shown).toMatchObject([{ devices: 40, loses: { view: 0, terminal: 28, desktop: 40, web: 40, manage: 0 } }]);
    expect(losing).toMatchObject({ members: 1, permissions: { view: 0, terminal: 1 } });
  });

  it('is previewed in pages, losers first and counted over all of them', async () => {
    members = Array.from({ length: 130 }, (_, i) => member(i, `Person ${i}`, i >= 120 ? ofCrew : {}));
    grant(everyone, [VIEW, TERMINAL, DESKTOP, WEB], '');
    // Nobody has lost anything so far.
    expect((await preview()).losing).toMatchObject({ all: 130, members: 0 });
    grants = [];
    grant(toGroup(OTHERS), [VIEW, TERMINAL, DESKTOP, WEB], '');
    const pages = [await preview(), await preview('?page=2'), await preview('?page=3'), await preview('?page=4')];
    expect(pages.map(({ members: { length } }) => length)).toEqual([50, 50, 30, 0]);
    const names = pages.flatMap(({ members: rows }) => rows.map(({ name }: { name: string }) => name));
    expect(names.slice(0, 12)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `Person ${120 + i}`),
      'Person 0',
      'Person 1',
    ]);
    expect(new Set(names).size).toBe(130);
    for (const { total, losing } of pages) expect([total, losing.all, losing.members]).toEqual([130, 130, 10]);
    const search = await preview('?search=person%2012&limit=5');
    expect([search.total, search.members.length, search.losing.all]).toEqual([11, 5, 130]);
  });

  it('counts what members with the same grants keep once', async () => {
    members = Array.from({ length: 400 }, (_, i) => member(i, `Person ${i}`, i % 2 ? ofCrew : {}));
    for (const permissions of [[VIEW], [VIEW, TERMINAL]]) grant(everyone, permissions, 'site=north');
    grant(toGroup(CREW), [VIEW, TERMINAL], 'ring=canary');
    grant(toUser(id(0x101)), [VIEW, WEB], 'site=east');
    await preview();
    expect(counted).toHaveLength(1);
    expect(counted[0]?.filters).toEqual(['site=north', 'ring=canary', 'site=east']);
    // None; the north; the north and canaries; both and the east; the east.
    expect(counted[0]?.sets.map(({ places }) => places.join()).sort()).toEqual(['', '0', '0,1', '0,1,2', '2']);
  });

  it('takes nothing from people of the operator account', async () => {
    isOperator = true;
    members = [member(1, 'Olaf')];
    expect(await preview()).toMatchObject({ losing: { all: 1, members: 0 }, members: [{ devices: 40 }] });
  });

  it('names the operators who reach a device by role, with their number', async () => {
    const { json } = await gateway.get(`/api/devices/${DEVICE}/access`, owner);
    const by = (permission: GrantPermission) => ({ permission, by: 'role', grant: null, until: null });
    const opens = (['view', 'terminal', 'desktop', 'web'] as const).map(by);
    expect(json.operators).toEqual([
      { role: 'SuperAdmin', users: 2, service_accounts: 0, rights: [...opens, by('manage')] },
      { role: 'Member', users: 3, service_accounts: 1, rights: opens },
    ]);
  });

  it.each(['files', 'forward', 'run', ''])('knows no permission %j, and says so by its name', async (name) => {
    const permissions = ['view', name];
    const bodies = {
      grants: { subject: { kind: 'everyone' }, permissions },
      'access/requests': { permissions, filter: '', reason: 'why', minutes: 60 },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const refused = await gateway.call('POST', `/api/accounts/${ACCOUNT}/${path}`, { as: owner, body });
      expect([path, refused.status, refused.json.errors]).toEqual([
        path,
        400,
        [expect.objectContaining({ field: 'permissions.1', value: JSON.stringify(name) })],
      ]);
    }
  });
});
