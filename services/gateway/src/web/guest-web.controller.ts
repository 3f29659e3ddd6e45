import { Body, Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { requireLeft } from '@warren/platform/quotas/quotas';
import type { Request } from 'express';
import { requireOwnOrigin } from '../auth/origin.ts';
import { GATEWAY_CONFIG, type GatewayConfig } from '../config.ts';
import { GuestAccess } from '../guests/guest.access.ts';
import { Describe } from '../http/api.decorators.ts';
import { tokenOrigin } from '../http/signed-in.request.ts';
import { makeWebAddressBody, webAddressSchema, type MakeWebAddressBody } from './web.schemas.ts';
import { WebService } from './web.service.ts';

/** The web service that a guest has access to. The link says which: a guest chooses neither device nor port. */
@ApiTags('guests')
@Controller('api/guest')
export class GuestWebController {
  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: Pick<GatewayConfig, 'HUB_URL'>,
    private readonly access: GuestAccess,
    private readonly web: WebService,
  ) {}

  @Post('web-address')
  @HttpCode(200)
  @Describe({
    summary: 'Makes a one-time ticket that shows the web service of a guest link in a frame of the hub.',
    description:
      'Needs the cookie of a redeemed guest link. The frame posts it, with the secret that it was made for, as a form to `url`. 403 for a ' +
      'link to a terminal or desktop; 409 when the web service is off or no longer exists, or the traffic of the account is used up.',
    answer: webAddressSchema,
    errors: [401, 403, 409],
    anybody: true,
  })
  async makeGuestWebAddress(
    @Req() request: Request,
    @Body({ schema: makeWebAddressBody }) { secret }: MakeWebAddressBody,
  ) {
    requireOwnOrigin(request.method, request.headers, this.config.HUB_URL);
    const { caller, guest, origin } = await this.access.read(request);
    requireLeft(origin.member.quotas, 'traffic');
    return this.web.address(caller, guest.deviceId, { ...tokenOrigin(origin), secret });
  }
}
