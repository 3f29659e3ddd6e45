import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { RolloutsService } from '@warren/proto/devices/v1/rollouts';
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
  type RankingName,
} from './home.schemas.ts';

@ApiTags('home')
@Controller('api/home')
export class HomeController {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(RolloutsService) private readonly rollouts: RpcClient<typeof RolloutsService>,
  ) {}

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
    const rank = async (name: RankingName) => {
      const answer = await this.devices.listDevices(caller, rankingRequest(name, account));
      return [name, rankingJson(name, answer)] as const;
    };
    const [versions, ...rankings] = await Promise.all([this.versions(caller, account), ...RANKING_NAMES.map(rank)]);
    return { ...Object.fromEntries(rankings), versions };
  }

  /** Null from a devices service of 0.1, which counts them only for people who manage updates. */
  private async versions(caller: Caller, accountId: string) {
    try {
      const { versions } = await this.rollouts.listAgentVersions(caller, { accountId });
      return versions.map(({ version, devices, connected }) => ({ version, devices, connected }));
    } catch (error) {
      if (error instanceof Fault && error.code === 'permission_denied') return null;
      throw error;
    }
  }
}
