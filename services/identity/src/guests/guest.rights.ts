import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { has } from '@warren/platform/policy/device.access';
import { callerOfMember } from '@warren/platform/policy/member.caller';
import { serviceCaller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicePermission, Status } from '@warren/proto/common/v1/common';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { TenancyService } from '@warren/proto/tenancy/v1/tenancy';
import { permissionOf } from './guest.links.ts';
import { GuestLinksService } from './guest.links.service.ts';
import type { GuestLinkRow } from './guest.links.sql.ts';

const IDENTITY = serviceCaller('identity');
const LOST = 'the person who made the link may not open the device any more';
const SWITCHED_OFF = 'guest links switched off';

/**
 * Ends guest links whose makers have lost what the links give. Guests need not be there: a right that a maker regains opens no link of before.
 */
@Injectable()
export class GuestRights {
  constructor(
    private readonly links: GuestLinksService,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
  ) {}

  /**
   * Ends those of some links whose maker may not open the device any more.
   * @param theirs links of one maker, with purposes that this version knows
   * @throws Fault `unavailable`; any other if a service of the version before does not answer identity
   */
  async review(theirs: readonly GuestLinkRow[]): Promise<void> {
    const [first] = theirs;
    if (!first) return;
    const maker = await this.makerOf(first);
    const permitted = maker.user ? await this.permitted(maker.user, theirs) : new Set<string>();
    for (const { id } of theirs) if (!permitted.has(id)) await this.links.endAll({ id }, { reason: maker.reason });
  }

  /** The maker as of now; undefined for one who may let no guests in any more. */
  private async makerOf(link: GuestLinkRow): Promise<{ user: UserCaller | undefined; reason: string }> {
    const member = await this.tenancy.resolveMember(IDENTITY, { email: link.maker_email, name: '' });
    const active = member.user?.status === Status.ACTIVE && member.accountStatus === Status.ACTIVE;
    const user = active && member.user?.id === link.maker_id ? callerOfMember(member) : undefined;
    if (user && member.guestLinks === undefined)
      throw new Fault(
        'unavailable',
        'a tenancy service of the version before does not say whether guest links are on.',
      );
    if (user && !member.guestLinks) return { user: undefined, reason: SWITCHED_OFF };
    return { user, reason: LOST };
  }

  /** The ids of the links that the maker may still open the device for. */
  private async permitted(user: UserCaller, theirs: readonly GuestLinkRow[]): Promise<Set<string>> {
    const deviceIds = [...new Set(theirs.map((link) => link.device_id))];
    const { devices } = await this.devices.checkDeviceAccess(IDENTITY, { user, deviceIds });
    const found = new Map(devices.map((one) => [one.deviceId, one]));
    const isPermitted = ({ purpose, device_id: id, account_id: account }: GuestLinkRow) => {
      const permission = permissionOf(purpose);
      const device = found.get(id);
      if (!device || permission === DevicePermission.UNSPECIFIED || account !== user.accountId) return false;
      return device.accountId === account && has(device.rights, permission);
    };
    return new Set(theirs.filter(isPermitted).map(({ id }) => id));
  }
}
