import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { MetricsService } from '@warren/proto/fleet/v1/metrics';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import { eventsJson, seriesJson, timesOf } from './metrics.mapper.ts';
import {
  deviceEventsQuery,
  deviceEventsSchema,
  deviceMetricsQuery,
  deviceMetricsSchema,
  sparklinesQuery,
  sparklinesSchema,
  type DeviceEventsQuery,
  type DeviceMetricsQuery,
  type SparklinesQuery,
} from './metrics.schemas.ts';

const DAY = 86_400;

/** How devices fared. */
@ApiTags('metrics')
@Controller('api/devices')
export class MetricsController {
  constructor(
    @InjectRpc(MetricsService) private readonly metrics: RpcClient<typeof MetricsService>,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
  ) {}

  @Get('metrics/sparklines')
  @Describe({
    summary: 'Reads the last 24 hours of several devices in 48 points each.',
    answer: sparklinesSchema,
  })
  async getSparklines(
    @CurrentCaller() caller: Caller,
    @Query({ schema: sparklinesQuery }) { ids, series: metrics }: SparklinesQuery,
  ) {
    const answer = await this.metrics.getSparklines(caller, { deviceIds: ids, metrics });
    const devices = answer.devices.map(({ deviceId: id, series }) => ({ id, series: series.flatMap(seriesJson) }));
    return { step: answer.step, times: timesOf(answer), devices };
  }

  @Get(':id/metrics')
  @Describe({
    summary: 'Reads the history of metrics of a device, in at most 750 points.',
    description:
      'Kept by the minute for 2 days, by 5 minutes for 30 days, and by the hour for 13 months unless the installation says otherwise. The step is the finest that the span allows.',
    answer: deviceMetricsSchema,
    errors: [404],
  })
  async getDeviceMetrics(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) deviceId: string,
    @Query({ schema: deviceMetricsQuery }) query: DeviceMetricsQuery,
  ) {
    const { from, to } = spanOf(query);
    const answer = await this.metrics.getMetrics(caller, { deviceId, from, to, metrics: query.series });
    return { from, to, step: answer.step, times: timesOf(answer), series: answer.series.flatMap(seriesJson) };
  }

  @Get(':id/events')
  @Describe({
    summary: 'Lists what happened to a device, for marks in charts.',
    answer: deviceEventsSchema,
    errors: [404],
  })
  async listDeviceEvents(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: deviceEventsQuery }) query: DeviceEventsQuery,
  ) {
    const span = spanOf(query);
    const [{ activity }, { times }] = await Promise.all([
      this.devices.listDeviceEvents(caller, { id, ...span }),
      this.metrics.listBoots(caller, { deviceId: id, ...span }),
    ]);
    return { events: eventsJson(activity, times) };
  }
}

/** The last day unless something else is asked for. */
function spanOf({ from, to = Math.ceil(Date.now() / 1_000) }: DeviceEventsQuery): { from: number; to: number } {
  return { from: from ?? Math.max(1, to - DAY), to };
}
