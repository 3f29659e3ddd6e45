import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { requireRight } from '@warren/platform/policy/device.access';
import { permissionsOf } from '@warren/platform/policy/permission.names';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicePermission, type WebTarget } from '@warren/proto/common/v1/common';
import { DevicesService, type Device } from '@warren/proto/devices/v1/devices';
import { GuestLinksService } from '@warren/proto/identity/v1/guests';
import { GUEST_LINK_LIMITS, type GuestPurpose } from '@warren/rules/guest-links';
import { CurrentCaller, CurrentSession } from '../auth/caller.decorator.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { requireActiveAccount } from '../devices/device.account.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import type { SignedIn } from '../http/signed-in.request.ts';
import {
  createGuestLinkBody,
  guestLinkCreated,
  guestLinkCreatedSchema,
  guestLinkJson,
  guestLinkListSchema,
  isKnown,
  type CreateGuestLinkBody,
} from './guest.schemas.ts';

const NEEDED: Readonly<Record<GuestPurpose, Parameters<typeof requireRight>[1]>> = {
  terminal: DevicePermission.TERMINAL,
  desktop: DevicePermission.DESKTOP,
  web: DevicePermission.WEB,
};

/** What people do with guest links to devices that they may open. */
@ApiTags('guests')
@Controller('api/devices/:id/guest-links')
export class GuestLinksController {
  private readonly hosts: DeviceHosts;

  constructor(
    @InjectRpc(GuestLinksService) private readonly guests: RpcClient<typeof GuestLinksService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL' | 'DEVICE_DOMAIN'>,
  ) {
    this.hosts = new DeviceHosts(config.HUB_URL, config.DEVICE_DOMAIN);
  }

  @Get()
  @Describe({
    summary: 'Lists the guest links to a device, with their guests.',
    description: 'All of them for readers of the grants of the account; your own for others.',
    answer: guestLinkListSchema,
    errors: [404],
  })
  async listGuestLinks(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { accountId } = await this.device(caller, id);
    const { links } = await this.guests.listGuestLinks(caller, { deviceId: id, accountId });
    return { links: links.filter(isKnown).map(guestLinkJson) };
  }

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Creates a link that opens a device to guests, who need no user.',
    description:
      'For a device of your account that you may open for that purpose yourself; the link ends when you may not any more. ' +
      'With the purpose `web`, `port` names a web service that the device has and that is on. ' +
      `409 if the account does not allow guest links, or the device has ${GUEST_LINK_LIMITS.perDevice}.`,
    answer: guestLinkCreatedSchema,
    status: 201,
    errors: [404, 409],
  })
  async createGuestLink(
    @CurrentCaller() caller: Caller,
    @CurrentSession() { member }: SignedIn,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: createGuestLinkBody }) { purpose, port, minutes, pin, uses }: CreateGuestLinkBody,
  ) {
    const device = await this.device(caller, id);
    requireRight(device.rights, NEEDED[purpose], `device ${id}`);
    requireActiveAccount(device);
    if (!member.guestLinks)
      throw new Fault('failed_precondition', 'your account does not allow guest links; its Owner can switch them on.');
    const [permission = DevicePermission.UNSPECIFIED] = permissionsOf([purpose]);
    const web = port === null ? undefined : this.webAt(device, port);
    const about = { deviceId: id, deviceName: device.customName || device.name, accountId: device.accountId };
    const wanted = { ...about, permission, minutes, pin: pin ?? '', uses, ...(web && { web }) };
    const { link, secret } = await this.guests.createGuestLink(caller, wanted);
    if (!link) throw new Fault('internal', 'The identity service answered without a link.');
    return guestLinkCreated(link, `${this.config.HUB_URL}/guest/${link.id}#${secret}`);
  }

  @Delete(':link')
  @Describe({
    summary: 'Ends a guest link, with what its guests have open.',
    description: 'Your own, and those of others for people who manage the grants of the account.',
    answer: doneSchema,
    errors: [404],
  })
  async endGuestLink(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) deviceId: string,
    @Param('link', { schema: idSchema }) id: string,
  ) {
    await this.device(caller, deviceId);
    await this.guests.endGuestLink(caller, { id, deviceId });
    return done('guest link successfully ended');
  }

  /** The web service of a device at a port. @throws Fault `invalid_argument` without one there; `failed_precondition` if it is off */
  private webAt(device: Device, port: number): Omit<WebTarget, '$typeName'> {
    const { httpPort, httpIp: ip, httpEnabled, httpAddress, customName, name } = device;
    if (!httpEnabled)
      throw new Fault(
        'failed_precondition',
        `the web service of ${customName || name} is disabled; switch it on first.`,
      );
    const slug = this.hosts.slugOf(httpAddress);
    if (httpPort !== port || slug === undefined) {
      const message = `the device has no web service at port ${port}; expected ${httpPort}.`;
      throw invalidInput({ field: 'port', message });
    }
    return { slug, ip, port };
  }

  private async device(caller: Caller, id: string): Promise<Device> {
    const { device } = await this.devices.getDevice(caller, { id });
    if (!device) throw new Fault('not_found', `device ${id}.`);
    return device;
  }
}
