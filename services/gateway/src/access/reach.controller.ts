import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import { deviceReachSchema, reachQuery, userReachSchema, type ReachQuery } from './access.schemas.ts';
import { ReachService } from './reach.service.ts';

/** Who reaches what, and why. */
@ApiTags('access')
@Controller('api')
export class ReachController {
  constructor(private readonly reach: ReachService) {}

  @Get('devices/:id/access')
  @Describe({
    summary: 'Shows who can reach a device, and why.',
    description: 'For those who may see the grants of the account. Operators are counted by role, not listed.',
    answer: deviceReachSchema,
    errors: [404],
  })
  async getDeviceAccess(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: reachQuery }) query: ReachQuery,
  ) {
    return this.reach.ofDevice(caller, id, pageRequest(query));
  }

  @Get('users/:id/access')
  @Describe({
    summary: 'Shows what an active user can reach, and by which grants.',
    description: 'For those who may see the user and the grants of the account.',
    answer: userReachSchema,
    errors: [404],
  })
  async getUserAccess(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    return this.reach.ofUser(caller, id);
  }
}
