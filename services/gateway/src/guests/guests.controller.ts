import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { DeviceHosts } from '@warren/platform/http/device.host';
import { requireLeft } from '@warren/platform/quotas/quotas';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { GuestLinksService, type GuestLink } from '@warren/proto/identity/v1/guests';
import type { Request, Response } from 'express';
import { requireOwnOrigin } from '../auth/origin.ts';
import { HubCookies } from '../auth/session.cookie.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import { gatewayCaller, tokenOrigin } from '../http/signed-in.request.ts';
import { SocketsService } from '../sockets/sockets.service.ts';
import { GuestAccess } from './guest.access.ts';
import { servedBy, webStateOf, type Served } from './guest.web.ts';
import {
  guestLinkShown,
  guestLinkShownSchema,
  guestSessionJson,
  guestSessionSchema,
  guestSocketTokenSchema,
  lookUpGuestLinkBody,
  purposeName,
  redeemGuestLinkBody,
  type LookUpGuestLinkBody,
  type RedeemGuestLinkBody,
} from './guest.schemas.ts';

/** A link with its secret, as a guest sends them. */
interface LinkSecret {
  id: string;
  secret: string;
}

const UNSERVED = {
  off: 'the web service of the guest link is disabled.',
  gone: 'the web service of the guest link no longer exists.',
} as const;

/** What guests do. They have no session: the link lets them in, and then a cookie that nothing else accepts. */
@ApiTags('guests')
@Controller('api/guest')
export class GuestsController {
  private readonly hosts: DeviceHosts;

  constructor(
    @InjectRpc(GuestLinksService) private readonly guests: RpcClient<typeof GuestLinksService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL' | 'DEVICE_DOMAIN'>,
    private readonly access: GuestAccess,
    private readonly cookies: HubCookies,
    private readonly sockets: SocketsService,
  ) {
    this.hosts = new DeviceHosts(config.HUB_URL, config.DEVICE_DOMAIN);
  }

  @Get('session')
  @Describe({
    summary: 'Shows what a guest has access to.',
    description: 'Needs the cookie of a redeemed guest link. 401 when the access has ended.',
    answer: guestSessionSchema,
    errors: [401],
    anybody: true,
  })
  async getGuestSession(@Req() request: Request) {
    const { link, guest, device } = await this.access.read(request);
    return guestSessionJson(link, { guest: guest.name, device, served: servedBy(device, this.hosts) });
  }

  @Post('socket-token')
  @HttpCode(200)
  @Describe({
    summary: 'Makes a one-time token that opens what a guest has access to.',
    description:
      'Needs the cookie of a redeemed guest link. 403 for a link to a web service; 409 when the console of the device is off or the traffic of the account is used up.',
    answer: guestSocketTokenSchema,
    errors: [401, 403, 409],
    anybody: true,
  })
  async makeGuestSocketToken(@Req() request: Request) {
    requireOwnOrigin(request.method, request.headers, this.config.HUB_URL);
    const { caller, guest, link, origin } = await this.access.read(request);
    requireLeft(origin.member.quotas, 'traffic');
    const purpose = purposeName(link);
    if (purpose === 'web') throw new Fault('permission_denied', 'the guest link opens a web service, and no socket.');
    const wanted = { id: guest.deviceId, ...tokenOrigin(origin) };
    const { token, user_id, device_sid } = await this.sockets.token(caller, wanted, purpose);
    return { token, user_id, device_sid };
  }

  @Post(':id')
  @HttpCode(200)
  @Describe({
    summary: 'Shows what a guest link opens, and whether it still does.',
    description: '404 for an unknown link and for a wrong secret.',
    answer: guestLinkShownSchema,
    errors: [403, 404],
    anybody: true,
  })
  async lookUpGuestLink(
    @Req() request: Request,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: lookUpGuestLinkBody }) { secret }: LookUpGuestLinkBody,
  ) {
    requireOwnOrigin(request.method, request.headers, this.config.HUB_URL);
    const { link, served } = await this.find(request, { id, secret });
    return guestLinkShown(link, served);
  }

  @Post(':id/redeem')
  @HttpCode(200)
  @Describe({
    summary: 'Lets a guest in by a guest link, and sets their cookie.',
    description:
      '400 with the field `pin` for a wrong PIN; five block the link. 409 if the link lets nobody else in, or its web service is off or gone.',
    answer: doneSchema,
    errors: [403, 404, 409],
    anybody: true,
  })
  async redeemGuestLink(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: redeemGuestLinkBody }) body: RedeemGuestLinkBody,
  ) {
    requireOwnOrigin(request.method, request.headers, this.config.HUB_URL);
    await this.requireServed(request, { id, secret: body.secret });
    const { session, expires } = await this.guests.redeemGuestLink(gatewayCaller(request), { id, ...body });
    this.cookies.setGuest(response, session, expires ? timestampDate(expires) : new Date());
    return done('welcome');
  }

  /** A link, and the web service that its device has now. @throws Fault `not_found` */
  private async find(request: Request, of: LinkSecret): Promise<{ link: GuestLink; served?: Served }> {
    const { link } = await this.guests.lookUpGuestLink(gatewayCaller(request), of);
    if (!link) throw new Fault('not_found', `guest link ${of.id}.`);
    if (!link.web) return { link };
    try {
      const { slug } = link.web;
      const { deviceId, ip, port, enabled } = await this.devices.findWebPage(gatewayCaller(request), { slug });
      return deviceId === link.deviceId ? { link, served: { slug, ip, port, enabled } } : { link };
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return { link };
      throw error;
    }
  }

  /** Spends no use of a link whose web service does not answer. @throws Fault `failed_precondition` */
  private async requireServed(request: Request, of: LinkSecret): Promise<void> {
    const { link, served } = await this.find(request, of);
    const state = link.web ? webStateOf(link.web, served) : 'on';
    if (state !== 'on') throw new Fault('failed_precondition', UNSERVED[state]);
  }
}
