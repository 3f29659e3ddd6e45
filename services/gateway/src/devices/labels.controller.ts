import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import { deviceChangedSchema } from './device-actions.schemas.ts';
import { deviceJson } from './device.mapper.ts';
import {
  labelDevicesBody,
  labelledSchema,
  labelListSchema,
  listLabelsQuery,
  setNotesBody,
  type LabelDevicesBody,
  type ListLabelsQuery,
  type SetNotesBody,
} from './labels.schemas.ts';

/** Labels of devices, and notes on them. */
@ApiTags('devices')
@Controller('api')
export class LabelsController {
  constructor(@InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>) {}

  @Get('labels')
  @Describe({
    summary: 'Lists the labels of the devices that you may see.',
    answer: labelListSchema,
    errors: [404],
  })
  async listLabels(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listLabelsQuery }) { account: accountId }: ListLabelsQuery,
  ) {
    const { keys } = await this.devices.listLabels(caller, { accountId });
    return {
      labels: keys.map(({ key, count, values }) => ({
        key,
        count,
        values: values.map((one) => ({ value: one.value, count: one.count })),
      })),
    };
  }

  @Put('devices/labels')
  @Describe({
    summary: 'Sets and removes labels of devices.',
    description:
      'SuperAdmins, and Owners and Admins for their account. Names the devices by id, or all that a filter holds for. All of them change, or none.',
    answer: labelledSchema,
    errors: [404],
  })
  async labelDevices(@CurrentCaller() caller: Caller, @Body({ schema: labelDevicesBody }) body: LabelDevicesBody) {
    const { ids = [], filter = '', account: accountId, set, remove } = body;
    const { changed } = await this.devices.labelDevices(caller, { ids, filter, accountId, set, remove });
    return { changed };
  }

  @Put('devices/:id/notes')
  @Describe({
    summary: 'Replaces the notes on a device.',
    description: 'SuperAdmins, and Owners and Admins for their account.',
    answer: deviceChangedSchema,
    errors: [404],
  })
  async setDeviceNotes(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: setNotesBody }) { notes }: SetNotesBody,
  ) {
    const { device } = await this.devices.setNotes(caller, { id, notes });
    if (!device) throw new Fault('not_found', `device ${id}.`);
    return { ...done('Notes successfully changed'), result: deviceJson(device) };
  }
}
