import { Body, Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { requireLeft } from '@warren/platform/quotas/quotas';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { GuestLinksService } from '@warren/proto/identity/v1/guests';
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

/** What guests do. They have no session: the link lets them in, and then a cookie that nothing else accepts. */
@ApiTags('guests')
@Controller('api/guest')
export class GuestsController {
  constructor(
    @InjectRpc(GuestLinksService) private readonly guests: RpcClient<typeof GuestLinksService>,
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL'>,
    private readonly access: GuestAccess,
    private readonly cookies: HubCookies,
    private readonly sockets: SocketsService,
  ) {}

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
    return guestSessionJson(link, { guest: guest.name, online: device.connected });
  }

  @Post('socket-token')
  @HttpCode(200)
  @Describe({
    summary: 'Makes a one-time token that opens what a guest has access to.',
    description:
      'Needs the cookie of a redeemed guest link. 409 when the console of the device is off or the traffic of the account is used up.',
    answer: guestSocketTokenSchema,
    errors: [401, 403, 409],
    anybody: true,
  })
  async makeGuestSocketToken(@Req() request: Request) {
    requireOwnOrigin(request.method, request.headers, this.config.HUB_URL);
    const { caller, guest, link, origin } = await this.access.read(request);
    requireLeft(origin.member.quotas, 'traffic');
    const wanted = { id: guest.deviceId, ...tokenOrigin(origin) };
    const { token, user_id, device_sid } = await this.sockets.token(caller, wanted, purposeName(link));
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
    const { link } = await this.guests.lookUpGuestLink(gatewayCaller(request), { id, secret });
    if (!link) throw new Fault('not_found', `guest link ${id}.`);
    return guestLinkShown(link);
  }

  @Post(':id/redeem')
  @HttpCode(200)
  @Describe({
    summary: 'Lets a guest in by a guest link, and sets their cookie.',
    description: '400 with the field `pin` for a wrong PIN; five block the link. 409 if the link lets nobody else in.',
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
    const { session, expires } = await this.guests.redeemGuestLink(gatewayCaller(request), { id, ...body });
    this.cookies.setGuest(response, session, expires ? timestampDate(expires) : new Date());
    return done('welcome');
  }
}
