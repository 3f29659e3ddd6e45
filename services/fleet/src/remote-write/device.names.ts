import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { DeviceDirectory } from '../devices/device.directory.ts';
import type { DeviceLabels } from './device.series.ts';

export const HUB_NAME = Symbol('HUB_NAME');

/** A device or an account that is renamed has its new name after that time. */
const FRESH_MS = 300_000;
const MOST_KNOWN = 50_000;

interface Known {
  labels: DeviceLabels;
  readAt: number;
}

/** The labels of devices, kept for five minutes. */
@Injectable()
export class DeviceNames {
  private readonly known = new Map<string, Known>();

  constructor(
    @Inject(DeviceDirectory) private readonly directory: Pick<DeviceDirectory, 'describe'>,
    @Inject(HUB_NAME) private readonly hub: string,
  ) {}

  /** The labels of the devices that exist. @throws Fault `unavailable` */
  async labelsOf(ids: readonly string[]): Promise<Map<string, DeviceLabels>> {
    const wanted = new Set(ids);
    const since = Date.now() - FRESH_MS;
    await this.read([...wanted].filter((id) => (this.known.get(id)?.readAt ?? 0) < since));
    const labels = new Map(
      [...wanted].flatMap((id) => {
        const known = this.known.get(id);
        return known ? [[id, known.labels] as const] : [];
      }),
    );
    this.evict();
    return labels;
  }

  private async read(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await this.directory.describe(ids);
    // A devices service of before, during an upgrade.
    if ([...found.values()].some(({ name, accountName }) => name === '' && accountName === ''))
      throw new Fault('unavailable', 'names of devices.');
    const readAt = Date.now();
    for (const id of ids) {
      this.known.delete(id);
      const device = found.get(id);
      if (device) this.known.set(id, { labels: this.labels(id, device), readAt });
    }
  }

  /** Evicts the names that were read first. */
  private evict(): void {
    for (const id of this.known.keys()) {
      if (this.known.size <= MOST_KNOWN) break;
      this.known.delete(id);
    }
  }

  private labels(id: string, device: { accountId: string; accountName: string; name: string }): DeviceLabels {
    return {
      hub: this.hub,
      account: device.accountName,
      account_id: device.accountId,
      device: device.name,
      device_id: id,
    };
  }
}
