import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { has, rightsOn } from '@warren/platform/policy/device.access';
import { callerOfMember } from '@warren/platform/policy/member.caller';
import { requireMay, type Action } from '@warren/platform/policy/policy';
import { requireUser, serviceCaller, type Caller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Status, type DevicePermission } from '@warren/proto/common/v1/common';
import { DevicesService, type DeviceRight } from '@warren/proto/devices/v1/devices';
import { AccessService } from '@warren/proto/tenancy/v1/access';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';

/** What the devices service takes in a call. */
const MOST_ASKED = 1_000;
const UNCLEAR = 'a tenancy service of the version before does not say whether guest links are on.';

/** A permission on a device that holds now. */
export interface Allowed {
  /** The last grant that gives it; absent if the role does. */
  grantId?: string;
  /** When that expires, in milliseconds since 1970; absent if it does not. */
  until?: number;
}

type Known = Parameters<typeof has>[1];
type Permitted = ReadonlyMap<string, Allowed>;

/** Asks what users may do with devices: tenancy for their grants, the devices service for what these find. */
@Injectable()
export class AccessRights {
  constructor(
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    @InjectRpc(AccessService) private readonly access: RpcClient<typeof AccessService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
  ) {}

  /**
   * A user with the role and grants of now, within the API token or guest link of before; undefined for one who is disabled or deleted.
   * @throws Fault `unavailable`, also for a guest if an older tenancy service does not say whether guest links are on
   */
  async member({
    email,
    userId,
    token,
    guest,
  }: Pick<UserCaller, 'email' | 'userId' | 'token' | 'guest'>): Promise<UserCaller | undefined> {
    const member = await this.tenancy.resolveMember(serviceCaller('tunnels'), { email, name: '' });
    const { user, accountStatus } = member;
    const active = user?.status === Status.ACTIVE && accountStatus === Status.ACTIVE;
    const now = active && user.id === userId ? callerOfMember(member) : undefined;
    // No reason to end the access of a guest for good: another replica answers next.
    if (now && guest && member.guestLinks === undefined) throw new Fault('unavailable', UNCLEAR);
    // An account may switch guest links off.
    if (!now || (guest && !member.guestLinks)) return undefined;
    return { ...now, ...(token && { token }), ...(guest && { guest }) };
  }

  /** The users of an account whom explicit grants restrict. @throws Fault `unavailable` */
  async restricted(accountId: string): Promise<UserCaller[]> {
    const all: UserCaller[] = [];
    for (let after = ''; ;) {
      const { users, next } = await this.access.listRestricted(serviceCaller('tunnels'), { accountId, after });
      all.push(...users);
      if (next === '') return all;
      after = next;
    }
  }

  /**
   * The devices, of some in an account, on which a user has a permission.
   * @throws Fault `unavailable`
   */
  async permitted(
    user: UserCaller,
    permission: Known,
    { accountId, ids }: { accountId: string; ids: readonly string[] },
  ): Promise<Permitted> {
    const limited = isLimited(user);
    const byRole = has(rightsOn(user, accountId, []), permission);
    if (byRole && !limited) return new Map(ids.map((id) => [id, {}]));
    const permitted = new Map<string, Allowed>();
    if (!byRole && user.grants.length === 0) return permitted;
    for (let at = 0; at < ids.length; at += MOST_ASKED) {
      const request = { user, deviceIds: ids.slice(at, at + MOST_ASKED) };
      const { devices } = await this.devices.checkDeviceAccess(serviceCaller('tunnels'), request);
      for (const { deviceId, rights } of devices) {
        const right = rights.find((one) => one.permission === permission);
        if (right) permitted.set(deviceId, allowedBy(right));
      }
    }
    return permitted;
  }

  /**
   * Requires a permission of a user on a device: by role, or by a grant.
   * @param action what the role would need
   * @returns the user, and the grant that allows it; none if the role does
   * @throws Fault as {@link requireMay}
   */
  async require(
    caller: Caller,
    { permission, action }: { permission: DevicePermission & Known; action: Action },
    { accountId, deviceId }: { accountId: string; deviceId: string },
  ): Promise<{ user: UserCaller; grantId?: string }> {
    const user = requireUser(caller);
    const permitted = await this.permitted(user, permission, { accountId, ids: [deviceId] });
    const { grantId } = permitted.get(deviceId) ?? {};
    if (!permitted.has(deviceId)) {
      requireMay(caller, action, accountId, `device ${deviceId}`);
      // The role allows it, and the filter of the token does not.
      throw new Fault('not_found', `device ${deviceId}.`);
    }
    return { user, ...(grantId && { grantId }) };
  }
}

/** Whether only the devices service knows which devices the API token of a user is for. That of a guest is for the device of the link. */
function isLimited({ token, guest }: UserCaller): boolean {
  return !guest && token !== undefined && token.filter !== '';
}

function allowedBy({ grantId, until }: DeviceRight): Allowed {
  return { ...(grantId !== '' && { grantId }), ...(until && { until: timestampMs(until) }) };
}
