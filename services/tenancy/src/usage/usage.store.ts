import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Event, EventData } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { nameOfKind } from './usage.kinds.ts';
import { addReport } from './usage.sql.ts';

/** Keeps what the replicas of tunnels report. */
@Injectable()
export class UsageStore implements OnModuleInit {
  constructor(
    private readonly source: DataSource,
    private readonly consumer: EventConsumer,
  ) {}

  onModuleInit(): void {
    this.consumer.on('usageCounted', (event, data) => this.add(event, data));
  }

  /** The same event twice is added once. */
  async add({ id }: Pick<Event, 'id'>, { hour, usage }: EventData<'usageCounted'>): Promise<void> {
    if (!hour) return;
    const known = usage.flatMap((one) => {
      const kind = nameOfKind(one.kind);
      return kind && isUuid(one.accountId) ? [{ ...one, kind }] : [];
    });
    if (known.length === 0) return;
    await addReport(this.source, id, timestampDate(hour), known);
  }
}
