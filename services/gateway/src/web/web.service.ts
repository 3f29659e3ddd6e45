import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { ENTRY, frameState } from '@warren/platform/http/device.entry';
import { requireRight } from '@warren/platform/policy/device.access';
import { requireUser, serviceCaller, type Caller, type UserCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { DevicesService, type Device } from '@warren/proto/devices/v1/devices';
import { IdentityService, SocketPurpose } from '@warren/proto/identity/v1/identity';
import type { TokenOrigin } from '../http/signed-in.request.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { servedBy, webStateOf } from '../guests/guest.web.ts';
import { requireActiveAccount } from '../devices/device.account.ts';

/** Tickets that lead to a web service, for those who may open it. */
@Injectable()
export class WebService {
  private readonly hosts: DeviceHosts;

  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.hosts = new DeviceHosts(config.HUB_URL, config.DEVICE_DOMAIN);
  }

  /** @throws Fault `not_found` for an address that is no device's, or of one that the caller may not see */
  async device(caller: Caller, address: string): Promise<Device> {
    const slug = this.hosts.slugOf(address);
    const { device } = slug === undefined ? {} : await this.devices.getDeviceByAddress(caller, { slug });
    if (!device) throw new Fault('not_found', `device at the address ${address}.`);
    return device;
  }

  /**
   * Makes a one-time ticket for a frame of the console.
   * @param secret of the page that will show the frame: the ticket is worth nothing without it
   * @throws Fault `not_found`; `failed_precondition` when the web service is turned off or the account is disabled
   */
  async address(
    caller: Caller,
    id: string,
    { secret, ...origin }: TokenOrigin & { secret: string },
  ): Promise<{ url: string; ticket: string }> {
    const { device } = await this.devices.getDevice(caller, { id });
    if (!device) throw new Fault('not_found', `device ${id}.`);
    const state = frameState(secret);
    return { url: this.entryOf(device), ticket: await this.ticket(caller, device, { ...origin, state }) };
  }

  /** The address on a device's host that lets a visit in. @throws Fault as {@link address} */
  async visit(
    caller: Caller,
    { host, path, ...visit }: TokenOrigin & { host: string; state: string; path: string },
  ): Promise<string> {
    const device = await this.device(caller, host);
    const ticket = await this.ticket(caller, device, visit);
    return `${this.entryOf(device)}?${new URLSearchParams({ ticket, to: path })}`;
  }

  private async ticket(caller: Caller, device: Device, origin: TokenOrigin & { state: string }): Promise<string> {
    const user = requireUser(caller);
    requireRight(device.rights, DevicePermission.WEB, `device ${device.id}`);
    this.requireOfGuest(user, device);
    const name = device.customName || device.name;
    requireActiveAccount(device);
    if (!device.httpEnabled) throw new Fault('failed_precondition', `the web service of ${name} is disabled.`);
    const { token } = await this.identity.createSocketToken(serviceCaller('gateway', caller.requestId, caller.origin), {
      // Tunnels asks for the grants of the moment.
      user: { ...user, grants: [] },
      deviceId: device.id,
      deviceAccountId: device.accountId,
      purpose: user.guest ? SocketPurpose.GUEST_WEB : SocketPurpose.WEB,
      ...origin,
    });
    return token;
  }

  private entryOf(device: Device): string {
    return `${this.hosts.originOf(this.hosts.slugOf(device.httpAddress) ?? '')}${ENTRY}`;
  }

  /** Holds a guest to the device and web service of the link. @throws Fault `not_found`; `failed_precondition` if it is gone */
  private requireOfGuest({ guest }: UserCaller, device: Device): void {
    if (!guest) return;
    if (guest.deviceId !== device.id || !guest.web) throw new Fault('not_found', `device ${device.id}.`);
    if (webStateOf(guest.web, servedBy(device, this.hosts)) === 'gone')
      throw new Fault('failed_precondition', 'the web service of the guest link is not there any more.');
  }
}
