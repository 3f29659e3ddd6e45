import { Body, Controller, Delete, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import {
  DeviceFeature,
  DevicesService,
  HttpHost,
  MachineDecision,
  type Device,
} from '@warren/proto/devices/v1/devices';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  changeAccountBody,
  changeHostnameBody,
  decideMachineBody,
  deviceChangedSchema,
  enableHttpBody,
  replaceDeviceBody,
  serviceSchema,
  setVncBody,
  switchSchema,
  type ChangeAccountBody,
  type ChangeHostnameBody,
  type DecideMachineBody,
  type EnableHttpBody,
  type ReplaceDeviceBody,
  type SetVncBody,
} from './device-actions.schemas.ts';
import { deviceJson, PERMISSIONS } from './device.mapper.ts';
import { DeviceReplica } from './device.replica.ts';
import { serialSchema } from './device.schemas.ts';

const HOSTS = { local: HttpHost.LOCAL, public: HttpHost.PUBLIC };
const DECISIONS = { replace: MachineDecision.REPLACE, separate: MachineDecision.SEPARATE };
const FEATURES = { ssh: DeviceFeature.SSH, http: DeviceFeature.HTTP };

/** What is done to one device (specification, sections 6 and 7). */
@ApiTags('devices')
@Controller()
export class DeviceActionsController {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    private readonly replica: DeviceReplica,
  ) {}

  @Put('tunnel/device/:service/:switch/:id/:serial')
  @Describe({
    summary: 'Turns the console or the web service of a device on or off.',
    description: 'SuperAdmins. Terminals end within two seconds when the console goes off. 404 for a wrong serial.',
    answer: deviceChangedSchema,
    errors: [404],
  })
  async setDeviceService(
    @CurrentCaller() caller: Caller,
    @Param('service', { schema: serviceSchema }) service: 'ssh' | 'http',
    @Param('switch', { schema: switchSchema }) state: 'enable' | 'disable',
    @Param('id', { schema: idSchema }) id: string,
    @Param('serial', { schema: serialSchema }) serial: string,
  ) {
    const change = { id, serial, feature: FEATURES[service], enabled: state === 'enable' };
    return changed('Your request successfully done', await this.devices.setService(caller, change));
  }

  @Put('tunnel/enable_http')
  @Describe({
    summary: 'Turns the web service of a device on, and sets where on the device it is and what it may do.',
    description: 'SuperAdmins. 404 for a wrong serial.',
    answer: deviceChangedSchema,
    errors: [404],
  })
  async enableDeviceHttp(@CurrentCaller() caller: Caller, @Body({ schema: enableHttpBody }) body: EnableHttpBody) {
    const { id, serial, port, ipaddr: ip, permissions: names } = body;
    const permissions = names && { permissions: names.map((name) => PERMISSIONS[name]) };
    const host = body.host ? HOSTS[body.host] : HttpHost.UNSPECIFIED;
    const change = { id, serial, port, ip, host, ...(permissions ? { permissions } : {}) };
    return changed('HTTP request successfully done', await this.devices.enableHttp(caller, change));
  }

  @Put('tunnel/set_vnc')
  @Describe({
    summary: 'Says where on a device its VNC server is, which shows its desktop.',
    description: 'SuperAdmins. 404 for a wrong serial.',
    answer: deviceChangedSchema,
    errors: [404],
  })
  async setDeviceVnc(@CurrentCaller() caller: Caller, @Body({ schema: setVncBody }) body: SetVncBody) {
    const { id, serial, port, ipaddr: ip } = body;
    return changed('Your request successfully done', await this.devices.setVnc(caller, { id, serial, port, ip }));
  }

  @Put('api/devices/change_hostname')
  @Describe({
    summary: 'Gives a device the name that people call it.',
    description: 'SuperAdmins. What the device calls itself stays as it is.',
    answer: deviceChangedSchema,
    errors: [404],
  })
  async changeDeviceHostname(
    @CurrentCaller() caller: Caller,
    @Body({ schema: changeHostnameBody }) { id, custom_name: customName }: ChangeHostnameBody,
  ) {
    return changed('Custom name successfully changed', await this.devices.renameDevice(caller, { id, customName }));
  }

  @Put('api/devices/change_account')
  @Describe({
    summary: 'Moves a device into another account.',
    description:
      'SuperAdmins. Terminals of people who may no longer reach it end within two seconds. 409 for a disabled account.',
    answer: deviceChangedSchema,
    errors: [404, 409],
  })
  async changeDeviceAccount(
    @CurrentCaller() caller: Caller,
    @Body({ schema: changeAccountBody }) { id, account: accountId }: ChangeAccountBody,
  ) {
    return changed('Custom account successfully changed', await this.devices.moveDevice(caller, { id, accountId }));
  }

  @Post('api/devices/:id/reboot')
  @HttpCode(200)
  @Describe({
    summary: 'Reboots a device.',
    description:
      'SuperAdmins, and those whom a grant lets manage it. Answered when the device has taken the request. 503 when it is not connected, 409 with its reason when it refuses.',
    answer: doneSchema,
    errors: [404, 409],
  })
  async rebootDevice(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.replica.ask(caller, DevicePermission.MANAGE, id, (tunnels, options) =>
      tunnels.rebootDevice(caller, { deviceId: id }, options),
    );
    return done('Your request successfully done');
  }

  @Post('api/devices/:id/rotate_key')
  @HttpCode(200)
  @Describe({
    summary: 'Has a device change its key.',
    description:
      'SuperAdmins. Answered when the new key counts; its terminals keep running. 503 when it is not connected, 409 with its reason when it refuses.',
    answer: doneSchema,
    errors: [404, 409],
  })
  async rotateDeviceKey(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.replica.ask(caller, 'devices.manage', id, (tunnels, options) =>
      tunnels.rotateDeviceKey(caller, { deviceId: id }, options),
    );
    return done('Your request successfully done');
  }

  @Post('api/devices/:id/replace')
  @HttpCode(200)
  @Describe({
    summary: 'Gives the old entry of a device to its new installation or hardware.',
    description:
      'SuperAdmins, and Owners for their account. The old entry keeps its id, name, address, account and settings, and takes the new key and serial; the new entry is gone, and the old key opens nothing. 409 when the serials differ without `new_hardware`, the old entry is not the older one, or its device is connected.',
    answer: deviceChangedSchema,
    errors: [404, 409],
  })
  async replaceDevice(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: replaceDeviceBody }) { replaces: replacedId, new_hardware: newHardware }: ReplaceDeviceBody,
  ) {
    const change = { id, replacedId, newHardware };
    return changed('Your request successfully done', await this.devices.replaceDevice(caller, change));
  }

  @Post('api/devices/:id/machines')
  @HttpCode(200)
  @Describe({
    summary: "Decides about another machine that dials with a device's key.",
    description:
      'SuperAdmins, and Owners for their account. When it replaces the hardware of a connected device, that becomes a separate device. The device changes its key once no other machine waits. 404 when no machine with that serial waits.',
    answer: deviceChangedSchema,
    errors: [404],
  })
  async decideMachine(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: decideMachineBody }) body: DecideMachineBody,
  ) {
    const change = { id, serial: body.serial, decision: DECISIONS[body.decision] };
    return changed('Your request successfully done', await this.devices.decideMachine(caller, change));
  }

  @Delete('tunnel/devices/:id')
  @Describe({
    summary: 'Deletes a device: its link is cut, and its key opens nothing any more.',
    description: 'SuperAdmins. Only a new enrolment can undo it.',
    answer: doneSchema,
    errors: [404],
  })
  async deleteDevice(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.devices.deleteDevice(caller, { id });
    return done('device successfully removed');
  }
}

function changed(msg: string, { device }: { device?: Device }) {
  return { ...done(msg), result: deviceJson(device as Device) };
}
