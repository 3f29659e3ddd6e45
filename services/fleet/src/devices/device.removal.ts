import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const HISTORY = ['boots', 'incoming', 'samples', 'five_minutes', 'hours'] as const;

/** Forgets deleted devices. */
@Injectable()
export class DeviceRemoval {
  constructor(private readonly source: DataSource) {}

  /** Removes the device first, after which nothing of it is stored; then its history. May run again. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.source.query('DELETE FROM devices WHERE id = ANY($1::uuid[])', [ids]);
    for (const table of HISTORY)
      await this.source.query(`DELETE FROM ${table} WHERE device_id = ANY($1::uuid[])`, [ids]);
  }
}
