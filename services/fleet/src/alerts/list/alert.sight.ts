import { Injectable } from '@nestjs/common';
import type { DeviceScope } from '@warren/platform/policy/device.access';
import { DataSource } from 'typeorm';
import { DeviceDirectory } from '../../devices/device.directory.ts';
import { readDevicesOf, type AlertFilter } from '../records/alerts.sql.ts';

/** Finds the devices with alerts that somebody may view. */
@Injectable()
export class AlertSight {
  constructor(
    private readonly source: DataSource,
    private readonly directory: DeviceDirectory,
  ) {}

  /**
   * The devices with such alerts that a user sees by grants, of those whose alerts are the newest; undefined for all of them.
   * @throws Fault `unavailable`
   */
  async devicesIn(
    { user, accountId, grants }: DeviceScope,
    filter: Partial<AlertFilter> = {},
  ): Promise<string[] | undefined> {
    if (!grants) return undefined;
    if (grants.length === 0) return [];
    const ids = await readDevicesOf(this.source, { ...ANY, ...filter, accountId });
    return this.directory.viewable(user, ids);
  }
}

const ANY: AlertFilter = {
  accountId: undefined,
  state: undefined,
  acknowledged: undefined,
  severity: undefined,
  ruleId: undefined,
  deviceId: undefined,
};
