import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { requireLeft } from '@warren/platform/quotas/quotas';
import type { Caller } from '@warren/platform/rpc/caller';
import { CurrentCaller, CurrentSession } from '../auth/caller.decorator.ts';
import { tokenOrigin, type SignedIn } from '../http/signed-in.request.ts';
import { deviceJson } from '../devices/device.mapper.ts';
import { deviceResultSchema } from '../devices/device.schemas.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import { addressSchema, makeWebAddressBody, webAddressSchema, type MakeWebAddressBody } from './web.schemas.ts';
import { WebService } from './web.service.ts';

@ApiTags('sessions')
@Controller('api/devices')
export class WebController {
  constructor(private readonly web: WebService) {}

  @Get('address/:address')
  @Describe({
    summary: 'Shows the device whose web service has an address.',
    description: '404 for every other address, and for devices that you may not see.',
    answer: deviceResultSchema,
    errors: [404],
  })
  async getDeviceByAddress(
    @CurrentCaller() caller: Caller,
    @Param('address', { schema: addressSchema }) address: string,
  ) {
    return { result: deviceJson(await this.web.device(caller, address)) };
  }

  @Post(':id/web-address')
  @HttpCode(200)
  @Describe({
    summary: 'Makes a one-time ticket that shows the web service of a device in a frame of the console.',
    description:
      'The frame posts it, with the secret that it was made for, as a form to `url`. 409 when the web service of the device is off, or the traffic of your account is used up.',
    answer: webAddressSchema,
    errors: [404, 409],
  })
  async makeWebAddress(
    @CurrentCaller() caller: Caller,
    @CurrentSession() signedIn: SignedIn,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: makeWebAddressBody }) body: MakeWebAddressBody,
  ) {
    requireLeft(signedIn.member.quotas, 'traffic');
    return this.web.address(caller, id, { ...tokenOrigin(signedIn), secret: body.secret });
  }
}
