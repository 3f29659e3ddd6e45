import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteDevices, deleteReported } from './devices.sql.ts';

/** Forgets deleted devices. */
@Injectable()
export class DeviceRemoval {
  constructor(private readonly source: DataSource) {}

  /** Removes the device first, after which nothing of it is stored; then its history. May run again. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await deleteDevices(this.source, ids);
    await deleteReported(this.source, ids);
  }
}
