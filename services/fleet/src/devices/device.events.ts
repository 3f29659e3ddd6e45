import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { DataSource } from 'typeorm';
import { DeviceDirectory } from './device.directory.ts';
import { DeviceRemoval } from './device.removal.ts';
import { updateAccounts } from './devices.sql.ts';

/** Follows the devices service: devices that moved or were deleted, also with their account. */
@Injectable()
export class DeviceEvents implements OnModuleInit {
  constructor(
    private readonly source: DataSource,
    private readonly consumer: EventConsumer,
    private readonly directory: DeviceDirectory,
    private readonly removal: DeviceRemoval,
  ) {}

  onModuleInit(): void {
    this.consumer.on('deviceDeleted', (_event, { deviceId }) => this.removal.remove([deviceId]));
    this.consumer.on('deviceChanged', async (_event, { deviceId, previousAccountId }) => {
      if (previousAccountId) await this.moved(deviceId);
    });
  }

  /** Asks where the device is now: events of several moves may come twice. */
  private async moved(id: string): Promise<void> {
    const accountId = (await this.directory.accountsOf([id])).get(id);
    if (accountId) await updateAccounts(this.source, new Map([[id, accountId]]));
  }
}
