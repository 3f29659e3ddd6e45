import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { requireLeft } from '@warren/platform/quotas/quotas';
import type { Caller } from '@warren/platform/rpc/caller';
import { CurrentCaller, CurrentSession } from '../auth/caller.decorator.ts';
import { tokenOrigin, type SignedIn } from '../http/signed-in.request.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import {
  deviceInfoSchema,
  socketTokenQuery,
  socketTokenSchema,
  windowTokenSchema,
  type SocketTokenQuery,
} from './socket.schemas.ts';
import { SocketsService } from './sockets.service.ts';

@ApiTags('sessions')
@Controller()
export class SocketsController {
  constructor(private readonly sockets: SocketsService) {}

  @Get('api/get-socket-token/:id')
  @Describe({
    summary: 'Makes a one-time token that opens a terminal, a desktop or the logs of a device.',
    description:
      'The token and what it opens end with your session. 409 when the console of the device is off, its account is disabled, or the ' +
      'traffic of your account is used up; 429 when too many tokens of yours are unused.',
    answer: socketTokenSchema,
    errors: [404, 409, 429],
  })
  async getSocketToken(
    @CurrentCaller() caller: Caller,
    @CurrentSession() signedIn: SignedIn,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: socketTokenQuery }) query: SocketTokenQuery,
  ) {
    if (query.purpose !== 'logs') requireLeft(signedIn.member.quotas, 'traffic');
    return this.sockets.token(caller, { id, ...tokenOrigin(signedIn) }, query.purpose);
  }

  @Get('api/generate-token/:id')
  @Describe({
    summary: 'Makes a one-time token for a terminal in a separate window.',
    description: 'Only for those whom the hub lists for WebSSH. Fails as the other socket tokens do.',
    answer: windowTokenSchema,
    errors: [404, 409, 429],
  })
  async generateToken(
    @CurrentCaller() caller: Caller,
    @CurrentSession() signedIn: SignedIn,
    @Param('id', { schema: idSchema }) id: string,
  ) {
    requireLeft(signedIn.member.quotas, 'traffic');
    return this.sockets.windowToken(caller, { id, ...tokenOrigin(signedIn) });
  }

  @Get('socketsio/get_device_info/:id')
  @Describe({ summary: "Shows what a session's page needs of its device.", answer: deviceInfoSchema, errors: [404] })
  async getDeviceInfo(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    return this.sockets.info(caller, id);
  }
}
