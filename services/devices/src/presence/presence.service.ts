import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Event, EventData } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { deviceChanged } from '../devices/device.event.ts';
import { addressText } from '../facts/facts.ts';
import { calledName, presenceKind, record, type Happening } from '../history/history.ts';
import { greeted, parted, type Presence } from './presence.ts';

interface PresenceRow {
  account_id: string;
  connected: boolean;
  connection_replica: string | null;
  connection_epoch: string;
  public_ip: string;
  name: string;
  custom_name: string;
}

/** Keeps `connected` true to what the tunnels replicas tell. */
@Injectable()
export class PresenceService implements OnModuleInit {
  constructor(
    private readonly consumer: EventConsumer,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  onModuleInit(): void {
    this.consumer.on('deviceConnected', (event, data) => this.connected(event, data));
    this.consumer.on('deviceDisconnected', (event, data) => this.disconnected(event, data));
  }

  connected(event: Event, data: EventData<'deviceConnected'>): Promise<void> {
    return this.change(data.deviceId, event, (now) => greeted(now, data), data.publicIp);
  }

  disconnected(event: Event, data: EventData<'deviceDisconnected'>): Promise<void> {
    return this.change(data.deviceId, event, (now) => parted(now, data), '');
  }

  private async change(
    deviceId: string,
    event: Event,
    next: (now: Presence) => Presence | undefined,
    publicIp: string,
  ): Promise<void> {
    if (!isUuid(deviceId)) return;
    await this.outbox.transaction(async (manager, emit) => {
      const row = await lock(manager, deviceId);
      const then = row && next(presenceOf(row));
      if (!row || !then) return;
      const ip = addressText.safeParse(publicIp).data || row.public_ip;
      const since = event.time ? timestampDate(event.time) : new Date();
      await manager.query(
        `UPDATE devices SET connected = $2, connection_replica = $3, connection_epoch = $4, public_ip = $5,
           status_since = CASE WHEN connected = $2 THEN status_since ELSE LEAST($6, now()) END
         WHERE id = $1`,
        [deviceId, then.connected, then.replica, String(then.epoch), ip, since],
      );
      if (then.connected !== row.connected) await record(manager, [happening(deviceId, row, then.connected, since)]);
      if (then.connected !== row.connected || ip !== row.public_ip) emit(deviceChanged(deviceId, row.account_id));
    });
  }
}

async function lock(manager: EntityManager, deviceId: string): Promise<PresenceRow | undefined> {
  const [row] = await manager.query<PresenceRow[]>(
    `SELECT account_id, connected, connection_replica, connection_epoch, public_ip, name, custom_name
     FROM devices WHERE id = $1 FOR NO KEY UPDATE`,
    [deviceId],
  );
  return row;
}

function happening(deviceId: string, row: PresenceRow, connected: boolean, at: Date): Happening {
  return { kind: presenceKind(connected), deviceId, accountId: row.account_id, deviceName: calledName(row), at };
}

function presenceOf(row: PresenceRow): Presence {
  return { connected: row.connected, replica: row.connection_replica, epoch: BigInt(row.connection_epoch) };
}
