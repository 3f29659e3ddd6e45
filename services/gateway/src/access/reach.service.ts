import { create } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { rightsOn } from '@warren/platform/policy/device.access';
import { isRestricted } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { UserCallerSchema, type AccessGrant, type PageRequest } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { AccessService, type MemberAccess, type OperatorRole } from '@warren/proto/tenancy/v1/access';
import { UsersService } from '@warren/proto/tenancy/v1/users';
import { roleName, type RoleName } from '../http/enums.ts';
import { grantJson, personJson, programJson } from './access.schemas.ts';
import { rightsJson } from './rights.schemas.ts';

/** Counting what many grants find takes longer than other calls. */
export const SLOW = { timeoutMs: 20_000 };

/** Answers who reaches what, and why: members and grants from tenancy, what filters find from the devices service. */
@Injectable()
export class ReachService {
  constructor(
    @InjectRpc(AccessService) private readonly access: RpcClient<typeof AccessService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(UsersService) private readonly users: RpcClient<typeof UsersService>,
  ) {}

  /** Who of the account of a device reaches it, and why. @throws Fault `not_found`, `permission_denied` */
  async ofDevice(caller: Caller, id: string, page: PageRequest) {
    const { device } = await this.devices.getDevice(caller, { id });
    if (!device) throw new Fault('not_found', `device ${id}.`);
    const { accountId } = device;
    const [{ grants }, { members, serviceAccounts, operators, total }] = await Promise.all([
      this.access.getAccess(caller, { accountId }),
      this.access.listMembersAccess(caller, { accountId, page }),
    ]);
    const filters = grants.map(({ filter }) => filter);
    const { matches } = await this.devices.matchFilters(caller, { deviceId: id, filters });
    const holding = grants.filter((_, place) => matches[place]);
    const ids = new Set(holding.map((grant) => grant.id));
    const people = members.map((member) => ({ ...personJson(member), rights: rightsIn(member, accountId, ids) }));
    const programs = serviceAccounts.map((one) => ({ ...programJson(one), rights: rightsIn(one, accountId, ids) }));
    const reaching = operators.map((one) => operatorJson(one, accountId)).filter(({ rights }) => rights.length > 0);
    return {
      total,
      people,
      service_accounts: programs,
      operators: reaching.sort((one, other) => RANK.indexOf(one.role) - RANK.indexOf(other.role)),
      grants: holding.map(grantJson),
    };
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
    // Each grant alone, and all together.
    const filters = [...new Set(own.map(({ filter }) => filter))];
    const sets = [...own.map(({ filter }) => ({ places: [filters.indexOf(filter)] })), { places: [...filters.keys()] }];
    const { counts, total } = await this.devices.countReach(caller, { accountId, filters, sets }, SLOW);
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

/** The order of roles in answers. */
const RANK: readonly RoleName[] = ['SuperAdmin', 'Owner', 'Admin', 'Member'];

/** What a role of the operator account may do in another account. */
function operatorJson({ role, users, serviceAccounts }: OperatorRole, accountId: string) {
  const rights = rightsOn(create(UserCallerSchema, { role, operator: true }), accountId, []);
  return { role: roleName(role), users, service_accounts: serviceAccounts, rights: rightsJson(rights) };
}

function rightsIn({ user }: MemberAccess, accountId: string, matching: ReadonlySet<string>) {
  const holds = ({ id }: AccessGrant) => matching.has(id);
  return user ? rightsJson(rightsOn(user, accountId, user.grants.filter(holds))) : [];
}
