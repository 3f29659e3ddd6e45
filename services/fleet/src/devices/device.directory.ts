import { Injectable } from '@nestjs/common';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import type { UserCaller } from '@warren/proto/common/v1/common';
import { DevicesService, type DeviceAccount } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { insertUnknown } from './devices.sql.ts';

/** What the devices service takes in a call. */
const MOST_ASKED = 1_000;

/** Asks the devices service which account a device is in: a copy could show a moved device to its former account. */
@Injectable()
export class DeviceDirectory {
  constructor(
    private readonly source: DataSource,
    @InjectRpc(DevicesService) private readonly devices: RpcClient<typeof DevicesService>,
  ) {}

  /** The accounts of the devices that exist, by device id. @throws Fault `unavailable` */
  async accountsOf(ids: readonly string[]): Promise<Map<string, string>> {
    const described = await this.describe(ids);
    return new Map([...described].map(([id, { accountId }]) => [id, accountId]));
  }

  /** Accounts and names of the devices that exist, by device id. @throws Fault `unavailable` */
  async describe(ids: readonly string[]): Promise<Map<string, DeviceAccount>> {
    const wanted = ids.filter((id) => isUuid(id));
    const found = new Map<string, DeviceAccount>();
    for (let at = 0; at < wanted.length; at += MOST_ASKED) {
      const request = { deviceIds: wanted.slice(at, at + MOST_ASKED) };
      const { devices } = await this.devices.findDeviceAccounts(serviceCaller('fleet'), request);
      for (const device of devices) found.set(device.deviceId, device);
    }
    return found;
  }

  /** Those of the devices that a user may view now, in this order. @throws Fault `unavailable` */
  async viewable(user: UserCaller, ids: readonly string[]): Promise<string[]> {
    const wanted = ids.filter((id) => isUuid(id));
    const viewable = new Set<string>();
    for (let at = 0; at < wanted.length; at += MOST_ASKED) {
      const request = { user, deviceIds: wanted.slice(at, at + MOST_ASKED) };
      const { devices } = await this.devices.checkDeviceAccess(serviceCaller('fleet'), request);
      for (const { deviceId } of devices) viewable.add(deviceId);
    }
    return wanted.filter((id) => viewable.has(id));
  }

  /** Adds devices of which no sample has come so far. @returns the ids of those that exist */
  async learn(ids: readonly string[]): Promise<string[]> {
    const accounts = await this.accountsOf(ids);
    const known = [...accounts].sort(([one], [other]) => (one < other ? -1 : 1));
    if (known.length > 0) await insertUnknown(this.source, known);
    return known.map(([id]) => id);
  }
}
