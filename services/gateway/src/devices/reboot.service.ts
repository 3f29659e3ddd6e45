import { Injectable } from '@nestjs/common';
import { ReplicaDirectory, type Location } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { DeviceOffline } from './device.offline.ts';

/** A little longer than the replica waits for the device. */
const ANSWER_MS = 12_000;

/** Has devices start anew, by the replica that holds each. */
@Injectable()
export class RebootService {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(TunnelsService) private readonly tunnels: RpcClient<typeof TunnelsService>,
    private readonly directory: ReplicaDirectory,
  ) {}

  /**
   * @throws Fault `permission_denied`, `not_found`; DeviceOffline; `failed_precondition` with the device's reason
   */
  async reboot(caller: Caller, id: string): Promise<void> {
    const { device } = await this.devices.getDevice(caller, { id });
    if (!device) throw new Fault('not_found', `Not found: device ${id}.`);
    requireMay(caller, 'devices.manage', device.accountId, `device ${id}`);
    const location = await this.locate(id);
    if (!location) throw new DeviceOffline();
    try {
      const options = { instance: location.replica, timeoutMs: ANSWER_MS };
      await this.tunnels.rebootDevice(caller, { deviceId: id }, options);
    } catch (error) {
      // The replica, or the link, went in the meantime.
      if (error instanceof Fault && error.code === 'unavailable') throw new DeviceOffline(error);
      throw error;
    }
  }

  private locate(id: string): Promise<Location | undefined> {
    return this.directory.locate(id).catch((cause: unknown) => {
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause });
    });
  }
}
