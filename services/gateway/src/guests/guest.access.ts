import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { has } from '@warren/platform/policy/device.access';
import { callerOfMember } from '@warren/platform/policy/member.caller';
import { userCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicePermission, type Guest } from '@warren/proto/common/v1/common';
import { DevicesService, type Device } from '@warren/proto/devices/v1/devices';
import { GuestLinksService, type GuestLink } from '@warren/proto/identity/v1/guests';
import type { VerifiedToken } from '@warren/proto/identity/v1/identity';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import type { Request } from 'express';
import { HubCookies } from '../auth/session.cookie.ts';
import { denialOf } from '../http/access.ts';
import { gatewayCaller, requestId, withOrigin, type SignedIn } from '../http/signed-in.request.ts';

const LOST = 'the person who made the link may not open the device any more';

/** A guest with access now. */
export interface GuestVisit {
  /** The maker of the link, narrowed to it. */
  caller: Caller;
  guest: Guest;
  link: GuestLink;
  device: Device;
  origin: Pick<SignedIn, 'secret' | 'member'>;
}

/**
 * Resolves the cookie of a guest to the maker of the link, narrowed to its device and purpose. Asks identity, tenancy and the devices service
 * with each request: guests are few, and nothing of theirs is kept.
 */
@Injectable()
export class GuestAccess {
  constructor(
    @InjectRpc(GuestLinksService) private readonly guests: RpcClient<typeof GuestLinksService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    private readonly cookies: HubCookies,
  ) {}

  /** @throws Fault `unauthenticated` without a guest's cookie, and when the access has ended */
  async read(request: Request): Promise<GuestVisit> {
    const secret = this.cookies.readGuest(request);
    if (secret === undefined) throw new Fault('unauthenticated', 'open the guest link first.');
    const gateway = gatewayCaller(request);
    const { session, link } = await this.guests.verifyGuest(gateway, { secret });
    const verified = session?.token;
    if (!verified?.token || !verified.guest || !link) throw ended();
    const { email = '' } = session?.saml ?? {};
    const member = await this.tenancy.resolveMember(gateway, { email, name: '' });
    const caller = callerOf(member, verified, requestId(request));
    const device = caller && (await this.opened(caller, verified.guest));
    if (!caller || !device) {
      await this.guests.withdrawGuestLink(gateway, { id: link.id, reason: LOST });
      throw ended();
    }
    return { caller: withOrigin(caller, request), guest: verified.guest, link, device, origin: { secret, member } };
  }

  /** The device, if the guest may open it now. */
  private async opened(caller: Caller, { deviceId: id, permission }: Guest): Promise<Device | undefined> {
    if (permission === DevicePermission.UNSPECIFIED) return undefined;
    try {
      const { device } = await this.devices.getDevice(caller, { id });
      return device && has(device.rights, permission) ? device : undefined;
    } catch (error) {
      if (error instanceof Fault && ['not_found', 'permission_denied'].includes(error.code)) return undefined;
      throw error;
    }
  }
}

/** The maker as of now; undefined if they may not let guests in any more. */
function callerOf(
  member: ResolveMemberResponse,
  { token, guest, userId, accountId }: VerifiedToken,
  id?: string,
): Caller | undefined {
  const user = callerOfMember(member);
  if (!user || !token || !guest || denialOf(member) || !member.guestLinks) return undefined;
  if (user.userId !== userId || user.accountId !== accountId) return undefined;
  return userCaller({ ...user, token, guest }, id);
}

const ended = () => new Fault('unauthenticated', 'the guest access has ended.');
