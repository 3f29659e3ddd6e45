import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { z } from 'zod';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { accountFilterSchema } from '../http/schemas.ts';

const homeQuery = z.object({ account: accountFilterSchema });
const homeSchema = z
  .object({ devices: z.object({ total: z.int(), connected: z.int() }) })
  .meta({ id: 'Home', examples: [{ devices: { total: 12, connected: 11 } }] });

@ApiTags('home')
@Controller('api/home')
export class HomeController {
  constructor(@InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>) {}

  @Get()
  @Describe({ summary: 'Counts the devices that you may see.', answer: homeSchema, errors: [404] })
  async getHome(@CurrentCaller() caller: Caller, @Query({ schema: homeQuery }) query: z.output<typeof homeQuery>) {
    const { total, connected } = await this.devices.getDeviceCounts(caller, { accountId: query.account });
    return { devices: { total, connected } };
  }
}
