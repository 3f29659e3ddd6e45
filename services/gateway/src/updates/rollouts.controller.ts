import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { listScope } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { RolloutsService, type Rollout } from '@warren/proto/devices/v1/rollouts';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe } from '../http/api.decorators.ts';
import { done } from '../http/done.ts';
import { idSchema, pageRequest } from '../http/schemas.ts';
import { AgentPackages } from '../install/agent.packages.ts';
import { CHANGES, rolloutDeviceJson, rolloutJson } from './update.mapper.ts';
import {
  listRolloutsQuery,
  rolloutChangedSchema,
  rolloutChangeSchema,
  rolloutDeviceListSchema,
  rolloutListSchema,
  rolloutShareBody,
  startRolloutBody,
  type ListRolloutsQuery,
  type ROLLOUT_CHANGES,
  type RolloutShareBody,
  type StartRolloutBody,
} from './update.schemas.ts';

/** Versions of the agent on their way to the fleet. */
@ApiTags('updates')
@Controller('api/updates/rollouts')
export class RolloutsController {
  constructor(
    @InjectRpc(RolloutsService) private readonly rollouts: RpcClient<typeof RolloutsService>,
    private readonly packages: AgentPackages,
  ) {}

  @Get()
  @Describe({ summary: 'Lists the rollouts, newest first.', description: 'SuperAdmins.', answer: rolloutListSchema })
  async listRollouts(@CurrentCaller() caller: Caller, @Query({ schema: listRolloutsQuery }) query: ListRolloutsQuery) {
    const { rollouts, total } = await this.rollouts.listRollouts(caller, { page: pageRequest(query) });
    return { total, rollouts: rollouts.map(rolloutJson) };
  }

  @Post()
  @HttpCode(201)
  @Describe({
    summary: 'Begins to offer a version of the agent to a share of the devices.',
    description:
      'SuperAdmins. It stops by itself when more than a tenth, and at least three, of the devices that tried it failed. 409 while another rollout is open for some of the same devices.',
    answer: rolloutChangedSchema,
    status: 201,
    errors: [404, 409],
  })
  async startRollout(@CurrentCaller() caller: Caller, @Body({ schema: startRolloutBody }) body: StartRolloutBody) {
    listScope(caller, 'updates.manage', '');
    const { version, account: accountId, share } = body;
    if (!(await this.packages.find(version)))
      throw new Fault('not_found', `this hub has no version ${version} of the agent.`);
    return changed(
      'rollout successfully begun',
      await this.rollouts.startRollout(caller, { version, accountId, share }),
    );
  }

  @Patch(':id')
  @Describe({
    summary: 'Raises the share of the devices that a rollout is for.',
    description: 'SuperAdmins. 409 for a smaller share, and when it is over.',
    answer: rolloutChangedSchema,
    errors: [404, 409],
  })
  async setRolloutShare(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: rolloutShareBody }) { share }: RolloutShareBody,
  ) {
    return changed('rollout successfully changed', await this.rollouts.setRolloutShare(caller, { id, share }));
  }

  @Post(':id/:change')
  @HttpCode(200)
  @Describe({
    summary: 'Pauses, resumes, rolls back or ends a rollout.',
    description:
      'SuperAdmins. Rolled back, the devices that it updated go back to the version that they had. 409 for what its state does not allow.',
    answer: rolloutChangedSchema,
    errors: [404, 409],
  })
  async changeRollout(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Param('change', { schema: rolloutChangeSchema }) change: (typeof ROLLOUT_CHANGES)[number],
  ) {
    return changed(
      'rollout successfully changed',
      await this.rollouts.changeRollout(caller, { id, change: CHANGES[change] }),
    );
  }

  @Post(':id/devices/:device/retry')
  @HttpCode(200)
  @Describe({
    summary: 'Retries one device of a rollout, or updates one that waits, at once.',
    description:
      'SuperAdmins. Offers the version to a device that failed, or that was not offered it yet, whatever the update window of its account. 409 for a device that neither failed nor waits, that is not connected or that another rollout is at work on, and after a rollback.',
    answer: rolloutChangedSchema,
    errors: [404, 409],
  })
  async retryRolloutDevice(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Param('device', { schema: idSchema }) deviceId: string,
  ) {
    return changed('rollout successfully changed', await this.rollouts.retryRolloutDevice(caller, { id, deviceId }));
  }

  @Get(':id/devices')
  @Describe({
    summary:
      'Lists the devices that a rollout has been offered to, with what became of it, and those that wait for a window.',
    description: 'SuperAdmins.',
    answer: rolloutDeviceListSchema,
    errors: [404],
  })
  async listRolloutDevices(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: listRolloutsQuery }) query: ListRolloutsQuery,
  ) {
    const { devices, total } = await this.rollouts.listRolloutDevices(caller, { id, page: pageRequest(query) });
    return { total, devices: devices.map(rolloutDeviceJson) };
  }
}

function changed(msg: string, { rollout }: { rollout?: Rollout }) {
  return { ...done(msg), result: rolloutJson(rollout as Rollout) };
}
