import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { RolloutsService } from '@warren/proto/devices/v1/rollouts';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import {
  updateWindowAnswerSchema,
  updateWindowBody,
  updateWindowChangedSchema,
  windowJson,
  windowMessage,
  type UpdateWindowBody,
} from './window.schemas.ts';

/** When rollouts may update the devices of an account. */
@ApiTags('updates')
@Controller('api/accounts/:id/update-window')
export class UpdateWindowsController {
  constructor(@InjectRpc(RolloutsService) private readonly rollouts: RpcClient<typeof RolloutsService>) {}

  @Get()
  @Describe({
    summary: 'Reads when rollouts may update the devices of an account.',
    description: 'Any account for operators, their own for others.',
    answer: updateWindowAnswerSchema,
    errors: [404],
  })
  async getUpdateWindow(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) accountId: string) {
    return windowJson(await this.rollouts.getUpdateWindow(caller, { accountId }));
  }

  @Put()
  @Describe({
    summary: 'Sets when rollouts may update the devices of an account.',
    description:
      'SuperAdmins; owners and admins for their own account. Rollouts begin no update outside the window. Updates that have begun finish; retrying a device and rolling back do not wait.',
    answer: updateWindowChangedSchema,
    errors: [404],
  })
  async setUpdateWindow(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) accountId: string,
    @Body({ schema: updateWindowBody }) { window }: UpdateWindowBody,
  ) {
    const message = windowMessage(window);
    const answer = await this.rollouts.setUpdateWindow(caller, { accountId, ...(message && { window: message }) });
    return { ...done('update window successfully changed'), result: windowJson(answer) };
  }
}
