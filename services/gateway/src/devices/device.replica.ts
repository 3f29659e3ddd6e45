import { Injectable } from '@nestjs/common';
import { ReplicaDirectory, type Location } from '@warren/platform/broker/directory';
import { Fault } from '@warren/platform/errors/fault';
import { requireRight } from '@warren/platform/policy/device.access';
import { requireMay, type Action } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { DevicesService } from '@warren/proto/devices/v1/devices';
import { TunnelsService } from '@warren/proto/tunnels/v1/tunnels';
import { DeviceOffline } from '../http/device.offline.ts';

type Tunnels = RpcClient<typeof TunnelsService>;

/** A little longer than the replica waits for the device. */
const ANSWER_MS = 12_000;

/** Asks things of devices, each by the replica that holds it. */
@Injectable()
export class DeviceReplica {
  constructor(
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
    @InjectRpc(TunnelsService) private readonly tunnels: Tunnels,
    private readonly directory: ReplicaDirectory,
  ) {}

  /**
   * @param needed the permission on the device, or the action, that the caller needs
   * @param call is given the replicas and which of them to ask
   * @throws Fault `permission_denied`, `not_found`; DeviceOffline; `failed_precondition` with the device's reason
   */
  async ask<T>(
    caller: Caller,
    needed: Action | Parameters<typeof requireRight>[1],
    id: string,
    call: (tunnels: Tunnels, options: { instance: string; timeoutMs: number }) => Promise<T>,
  ): Promise<T> {
    const { device } = await this.devices.getDevice(caller, { id });
    if (!device) throw new Fault('not_found', `device ${id}.`);
    if (typeof needed === 'string') requireMay(caller, needed, device.accountId, `device ${id}`);
    else requireRight(device.rights, needed, `device ${id}`);
    const location = await this.locate(id);
    if (!location) throw new DeviceOffline();
    try {
      return await call(this.tunnels, { instance: location.replica, timeoutMs: ANSWER_MS });
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
