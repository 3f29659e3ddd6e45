import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { EventData } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { LinkChange } from '@warren/proto/events/v1/events';
import { validate as isUuid } from 'uuid';
import { devicesChanged } from '../events/device.event.ts';
import { addressText } from '../facts/facts.ts';
import { calledName, presenceKind, record, type Happening } from '../history/history.ts';
import { presenceLag } from '../telemetry/metrics.ts';
import { lockPresence, writePresence, type PresenceChange, type PresenceRow } from './presence.sql.ts';
import { linkUp, linkDown, type Presence } from './presence.ts';

/** Keeps `connected` up to date from the events of the tunnels replicas. */
@Injectable()
export class PresenceService implements OnModuleInit {
  constructor(
    private readonly consumer: EventConsumer,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  onModuleInit(): void {
    this.consumer.on('linksChanged', (_event, data) => this.changed(data));
  }

  /** Applies changes of links, at most one per device and call. */
  async changed(news: Omit<EventData<'linksChanged'>, '$typeName'>): Promise<void> {
    const switched = await this.write(news);
    for (const { then, since } of switched) {
      const change = then.connected ? 'connected' : 'disconnected';
      presenceLag.observe({ change }, Math.max(0, Date.now() - since.getTime()) / 1_000);
    }
  }

  /** @returns the devices whose status changed */
  private write({ replica, links }: Omit<EventData<'linksChanged'>, '$typeName'>): Promise<Turn[]> {
    const news = new Map(links.filter(({ deviceId }) => isUuid(deviceId)).map((link) => [link.deviceId, link]));
    return this.outbox.transaction(async (manager, emit) => {
      const rows = await lockPresence(manager, [...news.keys()]);
      const turns = rows.flatMap((row) => turnOf(row, replica, news.get(row.id)) ?? []);
      await writePresence(manager, turns.map(changeOf));
      const switched = turns.filter(({ row, then }) => then.connected !== row.connected);
      await record(
        manager,
        switched.map(({ row, then, since }) => happening(row, then.connected, since)),
      );
      const seen = turns.filter(({ row, then, ip }) => then.connected !== row.connected || ip !== row.public_ip);
      for (const event of devicesChanged(seen.map(({ row }) => row))) emit(event);
      return switched;
    });
  }
}

/** The change of a device's presence by a change of its link. */
interface Turn {
  row: PresenceRow;
  then: Presence;
  ip: string;
  since: Date;
}

function changeOf({ row, then, ip, since }: Turn): PresenceChange {
  return { id: row.id, ...then, publicIp: ip, since };
}

function turnOf(row: PresenceRow, replica: string, link: LinkChange | undefined): Turn | undefined {
  if (!link) return undefined;
  const now = { connected: row.connected, replica: row.connection_replica, epoch: BigInt(row.connection_epoch) };
  const { epoch, connected, publicIp, at } = link;
  const then = connected ? linkUp(now, { replica, epoch }) : linkDown(now, { replica, epoch });
  if (!then) return undefined;
  const ip = addressText.safeParse(publicIp).data || row.public_ip;
  return { row, then, ip, since: at ? timestampDate(at) : new Date() };
}

function happening(row: PresenceRow, connected: boolean, at: Date): Happening {
  return {
    kind: presenceKind(connected),
    deviceId: row.id,
    accountId: row.account_id,
    deviceName: calledName(row),
    at,
  };
}
