import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Event, EventData } from '@warren/platform/events/event';
import { EventConsumer } from '@warren/platform/events/event.consumer';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { nameOfKind } from './usage.kinds.ts';

/** Adds a report unless it was added before: the event of a report may be published, and delivered, more than once. */
const ADD = `
  WITH report AS (INSERT INTO usage_reports (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING id),
  used AS (
    SELECT account_id, kind, sum(open_ms) AS open_ms, sum(opened) AS opened,
      sum(bytes_to_device) AS bytes_to_device, sum(bytes_from_device) AS bytes_from_device
    FROM report, unnest($3::uuid[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
      AS counted (account_id, kind, open_ms, opened, bytes_to_device, bytes_from_device)
    GROUP BY account_id, kind
  ),
  traffic AS (
    INSERT INTO usage_months AS known (account_id, month, bytes)
    SELECT account_id, date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date, sum(bytes_to_device + bytes_from_device)
    FROM used GROUP BY account_id HAVING sum(bytes_to_device + bytes_from_device) > 0 ORDER BY account_id
    ON CONFLICT (account_id, month) DO UPDATE SET bytes = known.bytes + excluded.bytes
  )
  INSERT INTO usage_hours AS known (account_id, hour, kind, open_ms, opened, bytes_to_device, bytes_from_device)
  SELECT account_id, $2, kind, open_ms, opened, bytes_to_device, bytes_from_device FROM used
  ORDER BY account_id, kind
  ON CONFLICT (account_id, hour, kind) DO UPDATE SET
    open_ms = known.open_ms + excluded.open_ms,
    opened = known.opened + excluded.opened,
    bytes_to_device = known.bytes_to_device + excluded.bytes_to_device,
    bytes_from_device = known.bytes_from_device + excluded.bytes_from_device`;

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
    await this.source.query(ADD, [
      id,
      timestampDate(hour),
      known.map(({ accountId }) => accountId),
      known.map(({ kind }) => kind),
      known.map(({ openMs }) => String(openMs)),
      known.map(({ opened }) => String(opened)),
      known.map(({ bytesToDevice }) => String(bytesToDevice)),
      known.map(({ bytesFromDevice }) => String(bytesFromDevice)),
    ]);
  }
}
