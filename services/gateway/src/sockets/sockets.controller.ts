import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { CurrentCaller } from '../auth/caller.decorator.ts';
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
    summary: 'Makes a one-time token that opens a session on a device.',
    answer: socketTokenSchema,
    errors: [404, 409],
  })
  async getSocketToken(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: socketTokenQuery }) query: SocketTokenQuery,
  ) {
    return this.sockets.token(caller, id, query.purpose);
  }

  @Get('api/generate-token/:id')
  @Describe({
    summary: 'Makes a one-time token for a terminal in a window of its own.',
    description: 'Only for those whom the hub lists for WebSSH. 409 when the console of the device is off.',
    answer: windowTokenSchema,
    errors: [404, 409],
  })
  async generateToken(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    return this.sockets.windowToken(caller, id);
  }

  @Get('socketsio/get_device_info/:id')
  @Describe({ summary: "Shows what a session's page needs of its device.", answer: deviceInfoSchema, errors: [404] })
  async getDeviceInfo(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    return this.sockets.info(caller, id);
  }
}
