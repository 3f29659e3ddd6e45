import { toJson, type DescMethod, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Fault } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import {
  ScimAttribute,
  ScimMemberOperation,
  ScimService,
  type ChangeScimGroupRequest,
  type ChangeScimUserRequest,
  type ListScimRequest,
  type ScimGroupSchema,
  type ScimUserSchema,
} from '@warren/proto/tenancy/v1/scim';
import { randomUUID } from 'node:crypto';
import { ACCOUNT } from './gateway.ts';
import { GROUP, USER } from './scim.paths.ts';

export const TOKEN = '01997b5c-0000-7000-8000-0000000000a7';

type User = Omit<MessageInitShape<typeof ScimUserSchema>, '$typeName'>;
type Group = Omit<MessageInitShape<typeof ScimGroupSchema>, '$typeName'>;

const created = timestampFromDate(new Date('2026-03-04T10:00:00.000Z'));
const place = { groupId: GROUP, groupName: 'Field team', created };
const ANN: User = {
  id: USER,
  userName: 'Ann.Lee@acme.test',
  externalId: 'ann.lee',
  email: 'ann.lee@acme.test',
  name: 'Ann Lee',
  active: true,
  ...place,
};
const TEAM: Group = {
  id: GROUP,
  name: 'Field team',
  externalId: 'g-1',
  members: [{ id: USER, name: 'Ann Lee' }],
  created,
};

const KEYS: Readonly<Record<ScimAttribute, 'id' | 'userName' | 'externalId' | 'email' | 'name' | undefined>> = {
  [ScimAttribute.UNSPECIFIED]: undefined,
  [ScimAttribute.ID]: 'id',
  [ScimAttribute.USER_NAME]: 'userName',
  [ScimAttribute.EXTERNAL_ID]: 'externalId',
  [ScimAttribute.EMAIL]: 'email',
  [ScimAttribute.DISPLAY_NAME]: 'name',
};

/** Users and groups of one account, as tenancy keeps them. */
class Directory {
  private readonly users = new Map<string, User>([[USER, ANN]]);
  private readonly groups = new Map<string, Group>([[GROUP, TEAM]]);

  findUsers({ attribute, value }: ListScimRequest): User[] {
    const key = KEYS[attribute];
    const isFound = (user: User) => key === undefined || user[key]?.toLowerCase() === value.toLowerCase();
    return [...this.users.values()].filter(isFound);
  }

  findGroups({ attribute, value }: ListScimRequest): Group[] {
    const isFound = ({ id, name }: Group) =>
      attribute === ScimAttribute.UNSPECIFIED || [id, name].some((one) => one?.toLowerCase() === value.toLowerCase());
    return [...this.groups.values()].filter(isFound);
  }

  createUser({ userName = '', ...given }: ChangeScimUserRequest): User {
    const isTaken = [...this.users.values()].some((user) => user.userName?.toLowerCase() === userName.toLowerCase());
    if (isTaken) throw new Fault('already_exists', 'a user with this user name exists.');
    return this.keepUser({ ...place, active: true, email: userName }, { ...given, userName, id: randomUUID() });
  }

  changeUser(request: ChangeScimUserRequest): User {
    return this.keepUser(this.users.get(request.id) ?? ANN, request);
  }

  private keepUser(user: User, given: Omit<ChangeScimUserRequest, '$typeName'>): User {
    const { id, userName, externalId, email, name, givenName, familyName, active } = given;
    const fields = { userName, externalId, email, givenName, familyName, active };
    const kept: User = { ...user, id };
    for (const [key, value] of Object.entries(fields)) if (value !== undefined) Object.assign(kept, { [key]: value });
    const joined = `${kept.givenName ?? ''} ${kept.familyName ?? ''}`.trim();
    kept.name = name ?? (joined === '' ? (user.name ?? '') : joined);
    this.users.set(id, kept);
    return kept;
  }

  changeGroup(group: Group, { id, name, externalId, members }: ChangeScimGroupRequest): Group {
    let ids = new Set((group.members ?? []).map((member) => member.id ?? ''));
    for (const { operation, users } of members) {
      if (operation === ScimMemberOperation.REPLACE) ids = new Set(users);
      else if (operation === ScimMemberOperation.ADD) for (const user of users) ids.add(user);
      else for (const user of users) ids.delete(user);
    }
    const found = [...ids].map((one) => ({ id: one, name: this.users.get(one)?.name ?? '' }));
    found.sort((one, other) => one.name.localeCompare(other.name));
    const kept = { ...group, name: name ?? group.name ?? '', externalId: externalId ?? group.externalId ?? '' };
    const changed: Group = { ...kept, members: found };
    this.groups.set(id, changed);
    return changed;
  }

  createGroup(request: ChangeScimGroupRequest): Group {
    const id = randomUUID();
    return this.changeGroup({ id, created }, { ...request, id });
  }

  group(id: string): Group {
    return this.groups.get(id) ?? TEAM;
  }

  delete(id: string): void {
    this.users.delete(id);
    this.groups.delete(id);
  }
}

/**
 * Answers as tenancy does for an account, which begins with one user and one group.
 * @param note hears of each call of the gateway: its name, and its whole request as JSON
 */
export function scimTenancy(
  secret: string,
  note: (method: string, request: Record<string, unknown>) => void,
): Partial<RpcHandlers<typeof ScimService>> {
  const directory = new Directory();
  const noted = (method: DescMethod, caller: Caller, request: Message) => {
    requireService(caller, 'gateway');
    note(method.localName, toJson(method.input, request) as Record<string, unknown>);
  };
  const { method } = ScimService;
  return {
    verifyScimToken: async (caller, request) => {
      requireService(caller, 'gateway');
      if (request.secret !== secret) throw new Fault('unauthenticated', 'the SCIM token is unknown.');
      return { tokenId: TOKEN, accountId: ACCOUNT, name: 'Entra' };
    },
    listScimUsers: async (caller, request) => {
      noted(method.listScimUsers, caller, request);
      const users = directory.findUsers(request);
      return { users: users.slice(request.offset, request.offset + request.limit), total: users.length };
    },
    createScimUser: async (caller, request) => {
      noted(method.createScimUser, caller, request);
      return { user: directory.createUser(request) };
    },
    changeScimUser: async (caller, request) => {
      noted(method.changeScimUser, caller, request);
      return { user: directory.changeUser(request) };
    },
    deleteScimUser: async (caller, request) => {
      noted(method.deleteScimUser, caller, request);
      directory.delete(request.id);
      return {};
    },
    listScimGroups: async (caller, request) => {
      noted(method.listScimGroups, caller, request);
      const groups = directory.findGroups(request);
      return { groups: groups.slice(request.offset, request.offset + request.limit), total: groups.length };
    },
    createScimGroup: async (caller, request) => {
      noted(method.createScimGroup, caller, request);
      return { group: directory.createGroup(request) };
    },
    changeScimGroup: async (caller, request) => {
      noted(method.changeScimGroup, caller, request);
      return { group: directory.changeGroup(directory.group(request.id), request) };
    },
    deleteScimGroup: async (caller, request) => {
      noted(method.deleteScimGroup, caller, request);
      directory.delete(request.id);
      return {};
    },
  };
}
