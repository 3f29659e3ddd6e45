import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { z } from 'zod';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema } from '../http/schemas.ts';
import { DeviceReplica } from './device.replica.ts';

const roundTripSchema = z
  .object({ round_trip: z.number().min(0).describe('Milliseconds from the hub to the device and back.') })
  .meta({ id: 'RoundTrip', examples: [{ round_trip: 23.4 }] });

@ApiTags('devices')
@Controller('api/devices/:id/round_trip')
export class RoundTripController {
  constructor(private readonly replica: DeviceReplica) {}

  @Get()
  @Describe({
    summary: 'Measures the way to a device and back, now.',
    description: 'A PING through its link; 503 when it is not connected, or does not answer.',
    answer: roundTripSchema,
    errors: [404],
  })
  async getRoundTrip(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { roundTripUs } = await this.replica.ask(caller, DevicePermission.VIEW, id, (tunnels, options) =>
      tunnels.pingDevice(caller, { deviceId: id }, options),
    );
    return { round_trip: roundTripUs / 1_000 };
  }
}
