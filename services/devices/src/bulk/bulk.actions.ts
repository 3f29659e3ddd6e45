import { Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { isOutage } from '@warren/platform/errors/outage';
import { sightOf } from '@warren/platform/policy/policy';
import { requireUser, serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { DataSource } from 'typeorm';
import { DeviceManagementService } from '../devices/device-management.service.ts';
import { RolloutsService } from '../rollouts/rollouts.service.ts';
import { requireAction } from './bulk.rights.ts';
import { DONE, failed, outcomeOf, type Outcome } from './bulk.outcome.ts';
import { REASONS } from './bulk.reasons.ts';
import type { BulkJobEntity } from './bulk.job.entity.ts';
import { readDevice, readOpenRollout, type ActedDevice, type Turn } from './bulk.sql.ts';

/** A little longer than the replica waits for the device. */
const ANSWER_MS = 12_000;

/** Takes an action that goes device by device, by the service that does the same for a single device. BulkSwitches takes the others. */
@Injectable()
export class BulkActions {
  private readonly log = new Logger(BulkActions.name);

  constructor(
    private readonly source: DataSource,
    private readonly management: DeviceManagementService,
    private readonly rollouts: RolloutsService,
    @InjectRpc(TunnelsService) private readonly tunnels: RpcClient<typeof TunnelsService>,
  ) {}

  /** @throws Error in an outage, after which the device's turn comes again */
  async take(caller: Caller, job: BulkJobEntity, turn: Turn): Promise<Outcome> {
    try {
      const device = await readDevice(this.source, turn.device_id, sightOf(caller));
      // An attempt before the process died has deleted it.
      if (!device && job.action === 'delete' && turn.attempts > 1) return DONE;
      if (!device) return failed('not_found', REASONS.missing);
      await requireAction(this.source, caller, job.action, device);
      if (job.action === 'move' && device.account_id === job.targetAccountId) return DONE;
      if (device.account_id !== turn.account_id) return failed('moved', REASONS.moved);
      return await this.act(caller, job, device);
    } catch (error) {
      if (error instanceof Fault) return outcomeOf(error);
      if (isOutage(error)) throw error;
      this.log.error({ err: error, job: job.id, device: turn.device_id }, 'A bulk action failed.');
      return failed('internal', REASONS.internal);
    }
  }

  private async act(caller: Caller, job: BulkJobEntity, device: ActedDevice): Promise<Outcome> {
    const { id } = device;
    switch (job.action) {
      case 'reboot':
        return this.reboot(caller, device);
      case 'update':
        return this.update(caller, device);
      case 'delete':
        await this.management.delete(caller, { id });
        return DONE;
      case 'move':
        await this.management.move(caller, { id, accountId: job.targetAccountId ?? '' });
        return DONE;
      default:
        throw new Error(`The action ${job.action} is taken on several devices at once.`);
    }
  }

  private async reboot(caller: Caller, device: ActedDevice): Promise<Outcome> {
    const { id: deviceId, connected, connection_replica: instance } = device;
    if (!connected || instance === null) return failed('offline', REASONS.offline);
    // Only the gateway speaks as a person.
    const service = serviceCaller('devices', caller.requestId);
    const request = { deviceId, onBehalfOf: requireUser(caller) };
    await this.tunnels.rebootDevice(service, request, { instance, timeoutMs: ANSWER_MS });
    return DONE;
  }

  private async update(caller: Caller, device: ActedDevice): Promise<Outcome> {
    if (!device.connected) return failed('offline', REASONS.offline);
    const rollout = await readOpenRollout(this.source, device);
    if (!rollout) return failed('no_rollout', REASONS.noRollout);
    if (rollout.working || device.agent_version === rollout.version) return DONE;
    try {
      await this.rollouts.retryFor(caller, { id: rollout.id, deviceId: device.id });
      return DONE;
    } catch (error) {
      // The device is outside of its share.
      if (error instanceof Fault && error.code === 'not_found') return failed('no_rollout', REASONS.noRollout);
      // The rollout itself has begun with the device since it was looked up.
      const now = await readOpenRollout(this.source, device);
      if (now?.id === rollout.id && now.working) return DONE;
      throw error;
    }
  }
}
