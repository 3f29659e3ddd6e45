import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { has } from '@warren/platform/policy/device.access';
import { callerOfMember } from '@warren/platform/policy/member.caller';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { userCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicePermission, type Guest } from '@warren/proto/common/v1/common';
import { DevicesService, type Device } from '@warren/proto/devices/v1/devices';
import { GuestLinksService, type GuestLink, type VerifyGuestResponse } from '@warren/proto/identity/v1/guests';
import type { VerifiedToken } from '@warren/proto/identity/v1/identity';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import type { Request } from 'express';
import { HubCookies } from '../auth/session.cookie.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { denialOf } from '../http/access.ts';
import { clientNetwork } from '../http/client.address.ts';
import { RateCounter } from '../http/rate.counter.ts';
import { gatewayCaller, requestId, withOrigin, type SignedIn } from '../http/signed-in.request.ts';
import { isKnown } from './guest.schemas.ts';

const WINDOW_S = 60;
const RETRY_AFTER_S = 2;
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
  /** Of guests by their ids, and of addresses whose cookies are refused. */
  private readonly calls: RateCounter | undefined;

  constructor(
    @InjectRpc(GuestLinksService) private readonly guests: RpcClient<typeof GuestLinksService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    private readonly cookies: HubCookies,
    redis: RedisLink,
    @Inject(GATEWAY_CONFIG) { RATE_LIMITS: rates }: Pick<GatewayConfig, 'RATE_LIMITS'>,
  ) {
    const name = 'guest-access';
    this.calls = rates ? new RateCounter(redis, { name, most: rates[name], seconds: WINDOW_S }) : undefined;
  }

  /**
   * @throws Fault `unauthenticated` without a guest's cookie, and when the access has ended; `resource_exhausted`; `unavailable`, also if a
   *   service of another version does not say enough to end the link
   */
  async read(request: Request): Promise<GuestVisit> {
    const secret = this.cookies.readGuest(request);
    if (secret === undefined) throw new Fault('unauthenticated', 'open the guest link first.');
    const gateway = gatewayCaller(request);
    const { session, link } = await this.verify(request, secret);
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

  /** Counts calls of each guest, so that many behind one address don't share a limit, and refused ones of each address. */
  private async verify(request: Request, secret: string): Promise<VerifyGuestResponse> {
    const client = clientNetwork(request);
    await this.calls?.count(client, `refused calls of guests from ${client}`);
    let isRefused = false;
    let found: VerifyGuestResponse;
    try {
      found = await this.guests.verifyGuest(gatewayCaller(request), { secret });
    } catch (error) {
      isRefused = error instanceof Fault && error.code === 'unauthenticated';
      throw error;
    } finally {
      if (!isRefused) await this.calls?.takeBack(client);
    }
    await this.calls?.count(found.session?.token?.guest?.id ?? client, 'calls of this guest');
    return found;
  }

  /** The device, if the guest may open it now. */
  private async opened(caller: Caller, { deviceId: id, permission, web }: Guest): Promise<Device | undefined> {
    if (permission === DevicePermission.UNSPECIFIED || !isKnown({ permission }) || (isWeb(permission) && !web))
      throw unclear('what the guest link opens');
    try {
      const { device } = await this.devices.getDevice(caller, { id });
      if (device?.rights.length === 0) throw unclear('what the guest may do');
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
  if (user && member.guestLinks === undefined) throw unclear('whether guest links are on');
  if (!user || !token || !guest || denialOf(member) || !member.guestLinks) return undefined;
  if (user.userId !== userId || user.accountId !== accountId) return undefined;
  return userCaller({ ...user, token, guest }, id);
}

const isWeb = (permission: DevicePermission): boolean => permission === DevicePermission.WEB;

/** For an answer of a replica of another version, while an upgrade runs. No reason to end a link for good: another replica answers next. */
const unclear = (what: string) =>
  new Fault('unavailable', `a part of Warren of another version does not say ${what}.`, { retryAfter: RETRY_AFTER_S });
const ended = () => new Fault('unauthenticated', 'the guest access has ended.');
