import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { DeviceReplica } from '../devices/device.replica.ts';
import { Describe } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  capacityJson,
  changeTerminalBody,
  observableJson,
  sessionSchema,
  terminalChanged,
  terminalChangedSchema,
  terminalJson,
  terminalListSchema,
  type ChangeTerminalBody,
} from './terminal.schemas.ts';

/** A user's own terminals: detached ones keep running, so they can be found again, or ended. */
@ApiTags('sessions')
@Controller('api/devices/:id/terminals')
export class TerminalsController {
  constructor(private readonly replica: DeviceReplica) {}

  @Get()
  @Describe({
    summary: 'Lists your own open terminals on a device, and those that you may observe.',
    description: 'Asked of the device itself; 503 when it is not connected.',
    answer: terminalListSchema,
    errors: [404, 409],
  })
  async listTerminals(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const listed = await this.replica.ask(caller, DevicePermission.TERMINAL, id, (tunnels, options) =>
      tunnels.listTerminals(caller, { deviceId: id }, options),
    );
    const { terminals, observable, capacity } = listed;
    return {
      terminals: terminals.map(terminalJson),
      observable: observable.flatMap(observableJson),
      capacity: capacityJson(capacity),
    };
  }

  @Patch(':session')
  @Describe({
    summary: 'Renames, pins or unpins one of your own terminals on a device.',
    description:
      'A pinned terminal is kept for days while no page shows it, in place of ten minutes. 409 with the reason if the device refuses: its agent is too old, or you have as many ' +
      'pinned terminals there as it allows. 503 if the device is not connected, or it is not known what the account allows.',
    answer: terminalChangedSchema,
    errors: [404, 409],
  })
  async changeTerminal(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Param('session', { schema: sessionSchema }) session: string,
    @Body({ schema: changeTerminalBody }) { name, pin_days: pinDays }: ChangeTerminalBody,
  ) {
    const change = { ...(name !== undefined && { name }), ...(pinDays !== undefined && { pinDays }) };
    const { terminal } = await this.replica.ask(caller, DevicePermission.TERMINAL, id, (tunnels, options) =>
      tunnels.changeTerminal(caller, { deviceId: id, session, ...change }, options),
    );
    if (!terminal) throw new Fault('not_found', `terminal ${session}.`);
    return terminalChanged(terminal);
  }

  @Delete(':session')
  @Describe({
    summary: 'Ends one of your own terminals on a device, and what runs in it.',
    description: 'A page that shows it reports that its shell has ended. 503 if the device is not connected.',
    answer: doneSchema,
    errors: [404, 409],
  })
  async endTerminal(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Param('session', { schema: sessionSchema }) session: string,
  ) {
    await this.replica.ask(caller, DevicePermission.TERMINAL, id, (tunnels, options) =>
      tunnels.endTerminal(caller, { deviceId: id, session }, options),
    );
    return done('terminal successfully ended');
  }
}
