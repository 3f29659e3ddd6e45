import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService, type Device } from '@warren/proto/devices/v1/devices';
import { Fault } from '@warren/platform/errors/fault';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import { deviceJson, deviceSort } from './device.mapper.ts';
import {
  deviceListSchema,
  deviceResultSchema,
  listDevicesQuery,
  serialSchema,
  type ListDevicesQuery,
} from './device.schemas.ts';
import { devicePresenceQuery, devicePresenceSchema, spanJson, type DevicePresenceQuery } from './presence.schemas.ts';

@ApiTags('devices')
@Controller('api/devices')
export class DevicesController {
  constructor(@InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>) {}

  @Get()
  @Describe({
    summary: 'Lists devices.',
    description:
      'Search looks at names, serials and addresses. Sorting, search and filter cover all devices, not one page.',
    answer: deviceListSchema,
    errors: [404],
  })
  async listDevices(@CurrentCaller() caller: Caller, @Query({ schema: listDevicesQuery }) query: ListDevicesQuery) {
    const { account: accountId, sort, filter } = query;
    const answer = await this.devices.listDevices(caller, {
      page: pageRequest(query),
      accountId,
      ...deviceSort(sort),
      filter,
    });
    return { total: answer.total, devices: answer.devices.map((device) => ({ ...deviceJson(device), rights: [] })) };
  }

  @Get('serial/:serial')
  @Describe({ summary: 'Shows the device with a serial.', answer: deviceResultSchema, errors: [404] })
  async getDeviceBySerial(@CurrentCaller() caller: Caller, @Param('serial', { schema: serialSchema }) serial: string) {
    return result((await this.devices.getDeviceBySerial(caller, { serial })).device, `device with serial ${serial}`);
  }

  @Get(':id/presence')
  @Describe({ summary: 'Tells when a device was connected.', answer: devicePresenceSchema, errors: [404] })
  async getDevicePresence(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: devicePresenceQuery }) { hours }: DevicePresenceQuery,
  ) {
    const { spans } = await this.devices.getDevicePresence(caller, { id, hours });
    return { hours, spans: spans.map(spanJson) };
  }

  @Get(':id')
  @Describe({ summary: 'Shows a device.', answer: deviceResultSchema, errors: [404] })
  async getDevice(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    return result((await this.devices.getDevice(caller, { id })).device, `device ${id}`);
  }
}

function result(device: Device | undefined, what: string) {
  if (!device) throw new Fault('not_found', `${what}.`);
  return { result: deviceJson(device) };
}
