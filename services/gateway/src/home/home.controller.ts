import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import {
  homeQuery,
  homeSchema,
  overviewSchema,
  RANKING_NAMES,
  rankingJson,
  rankingRequest,
  type HomeQuery,
} from './home.schemas.ts';

@ApiTags('home')
@Controller('api/home')
export class HomeController {
  constructor(@InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>) {}

  @Get()
  @Describe({ summary: 'Counts the devices that you may see.', answer: homeSchema, errors: [404] })
  async getHome(@CurrentCaller() caller: Caller, @Query({ schema: homeQuery }) query: HomeQuery) {
    const { total, connected } = await this.devices.getDeviceCounts(caller, { accountId: query.account });
    return { devices: { total, connected } };
  }

  @Get('overview')
  @Describe({
    summary: 'Ranks the devices that you may see by what people look at first.',
    description:
      'The first five of each ranking, with the filter that lists all of them. Meant to be read once or twice a minute.',
    answer: overviewSchema,
    errors: [404],
  })
  async getOverview(@CurrentCaller() caller: Caller, @Query({ schema: homeQuery }) { account }: HomeQuery) {
    const rankings = await Promise.all(
      RANKING_NAMES.map(async (name) => {
        const answer = await this.devices.listDevices(caller, rankingRequest(name, account));
        return [name, rankingJson(name, answer)] as const;
      }),
    );
    return Object.fromEntries(rankings);
  }
}
