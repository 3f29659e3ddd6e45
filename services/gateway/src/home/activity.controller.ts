import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { isoTime } from '../http/schemas.ts';
import {
  activityJson,
  activityListSchema,
  deviceTrendQuery,
  deviceTrendSchema,
  listActivityQuery,
  type DeviceTrendQuery,
  type ListActivityQuery,
} from './activity.schemas.ts';

/** What happened lately. */
@ApiTags('home')
@Controller('api')
export class ActivityController {
  constructor(@InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>) {}

  @Get('activity')
  @Describe({
    summary: 'Tells what happened to the devices that you may see, the newest first.',
    description:
      'Devices that enrolled, came, went, were renamed, updated, moved or deleted in the last 31 days. A move shows in both accounts.',
    answer: activityListSchema,
    errors: [404],
  })
  async listActivity(@CurrentCaller() caller: Caller, @Query({ schema: listActivityQuery }) query: ListActivityQuery) {
    const { account: accountId, topic, limit } = query;
    const { activity } = await this.devices.listActivity(caller, { accountId, topic, limit });
    return { activity: activity.map(activityJson) };
  }

  @Get('device_trend')
  @Describe({
    summary: 'Counts the devices that you may see, and those connected, over time.',
    answer: deviceTrendSchema,
    errors: [404],
  })
  async getDeviceTrend(@CurrentCaller() caller: Caller, @Query({ schema: deviceTrendQuery }) query: DeviceTrendQuery) {
    const { hours } = query;
    const { counts } = await this.devices.getDeviceTrend(caller, { accountId: query.account, hours });
    return { hours, counts: counts.map(({ at, total, connected }) => ({ at: isoTime(at), total, connected })) };
  }
}
