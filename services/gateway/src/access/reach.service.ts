import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { liveGrants, rightsOn } from '@warren/platform/policy/device.access';
import { isRestricted } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { AccessGrant, PageRequest, UserCaller } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { AccessService, type MemberAccess } from '@warren/proto/tenancy/v1/access';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import { roleName } from '../http/enums.ts';
import { grantJson, personJson, programJson } from './access.schemas.ts';
import { rightsJson } from './rights.schemas.ts';

/** Counting what many grants find takes longer than other calls. */
const SLOW = { timeoutMs: 20_000 };

/** Answers who reaches what, and why: members and grants from tenancy, what filters find from the devices service. */
@Injectable()
export class ReachService {
  constructor(
    @InjectRpc(AccessService) private readonly access: RpcClient<typeof AccessService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(UsersService) private readonly users: RpcClient<typeof UsersService>,
  ) {}

  /** How many devices each member would view with explicit grants. @throws Fault `not_found`, `permission_denied` */
  async preview(caller: Caller, accountId: string, page: PageRequest) {
    const request = { accountId, page, restricted: true };
    const { members, serviceAccounts, total } = await this.access.listMembersAccess(caller, request);
    const texts = [...members, ...serviceAccounts].map(({ user }) => filtersOf(user));
    // Members of a group have the same grants, which are counted once.
    const sets = [...new Map(texts.map((filters) => [JSON.stringify(filters), filters])).values()];
    const answer = await this.devices.countReach(
      caller,
      { accountId, sets: sets.map((filters) => ({ filters })) },
      SLOW,
    );
    const counts = new Map(sets.map((filters, place) => [JSON.stringify(filters), answer.counts[place] ?? 0]));
    const devicesOf = ({ user }: MemberAccess) => counts.get(JSON.stringify(filtersOf(user))) ?? 0;
    return {
      devices: answer.total,
      total,
      members: members.map((member) => ({ ...personJson(member), devices: devicesOf(member) })),
      service_accounts: serviceAccounts.map((one) => ({ ...programJson(one), devices: devicesOf(one) })),
    };
  }

  /** Who of the account of a device reaches it, and why. @throws Fault `not_found`, `permission_denied` */
  async ofDevice(caller: Caller, id: string, page: PageRequest) {
    const { device } = await this.devices.getDevice(caller, { id });
    if (!device) throw new Fault('not_found', `device ${id}.`);
    const { accountId } = device;
    const [{ grants }, { members, serviceAccounts, total }] = await Promise.all([
      this.access.getAccess(caller, { accountId }),
      this.access.listMembersAccess(caller, { accountId, page }),
    ]);
    const filters = grants.map(({ filter }) => filter);
    const { matches } = await this.devices.matchFilters(caller, { deviceId: id, filters });
    const holding = grants.filter((_, place) => matches[place]);
    const ids = new Set(holding.map((grant) => grant.id));
    const people = members.map((member) => ({ ...personJson(member), rights: rightsIn(member, accountId, ids) }));
    const programs = serviceAccounts.map((one) => ({ ...programJson(one), rights: rightsIn(one, accountId, ids) }));
    return { total, people, service_accounts: programs, grants: holding.map(grantJson) };
  }

  /** What a user reaches, and by which grants. @throws Fault `not_found`, `permission_denied` */
  async ofUser(caller: Caller, userId: string) {
    const { user: found } = await this.users.getUser(caller, { id: userId });
    if (!found) throw new Fault('not_found', `user ${userId}.`);
    const { accountId } = found;
    const [{ grants }, { members }] = await Promise.all([
      this.access.getAccess(caller, { accountId }),
      this.access.listMembersAccess(caller, { accountId, userId }),
    ]);
    const user = members[0]?.user;
    if (!user) throw new Fault('not_found', `user ${userId}.`);
    const ids = new Set(user.grants.map(({ id }) => id));
    const own = grants.filter(({ id }) => ids.has(id));
    const sets = [...own.map(({ filter }) => ({ filters: [filter] })), { filters: filtersOf(user) }];
    const { counts, total } = await this.devices.countReach(caller, { accountId, sets }, SLOW);
    const restricted = isRestricted(user);
    return {
      restricted,
      role: roleName(user.role),
      devices: restricted ? (counts.at(-1) ?? 0) : total,
      total,
      grants: own.map((grant, place) => ({ ...grantJson(grant), devices: counts[place] ?? 0 })),
    };
  }
}

function filtersOf(user: UserCaller | undefined): string[] {
  return user ? [...new Set(liveGrants(user).map(({ filter }) => filter))].sort() : [];
}

function rightsIn({ user }: MemberAccess, accountId: string, matching: ReadonlySet<string>) {
  const holds = ({ id }: AccessGrant) => matching.has(id);
  return user ? rightsJson(rightsOn(user, accountId, user.grants.filter(holds))) : [];
}
