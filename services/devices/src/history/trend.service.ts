import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import type { GetDeviceTrendResponseSchema } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { scopeOf } from '../accounts/scope.ts';
import { requireTrendHours } from './bounds.ts';

/** The id of all accounts together in `device_counts`. */
const EVERY_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/** Minutes between two samples. */
const SAMPLE_MINUTES = 10;

interface CountRow {
  at: Date;
  total: number;
  connected: number;
}

/** The number of connected devices over time. */
@Injectable()
export class TrendService {
  constructor(private readonly source: DataSource) {}

  /** Oldest first, one per ten minutes of uptime of the service; the last one is current. */
  async trend(
    caller: Caller,
    request: { accountId: string; hours: number },
  ): Promise<MessageInitShape<typeof GetDeviceTrendResponseSchema>> {
    const accountId = scopeOf(caller, request.accountId);
    const hours = requireTrendHours(request.hours);
    const rows = await this.source.query<CountRow[]>(
      `SELECT at, total, connected FROM device_counts
         WHERE account_id = $1 AND at >= now() - $2 * interval '1 hour' AND at < now()
       UNION ALL
       SELECT now(), count(*)::int, (count(*) FILTER (WHERE connected))::int FROM devices
         ${accountId === undefined ? '' : 'WHERE account_id = $1'}
       ORDER BY at`,
      [accountId ?? EVERY_ACCOUNT, hours],
    );
    return { counts: rows.map(({ at, ...counts }) => ({ at: timestampFromDate(at), ...counts })) };
  }

  /** Counts every account once per ten minutes, by any replica. */
  async sample(): Promise<void> {
    const bucket = `date_bin('${SAMPLE_MINUTES} minutes', now(), '2000-01-01')`;
    await this.source.query(
      `INSERT INTO device_counts (account_id, at, total, connected)
       SELECT COALESCE(account_id, $1), ${bucket}, count(*), count(*) FILTER (WHERE connected)
       FROM devices
       WHERE NOT EXISTS (SELECT 1 FROM device_counts WHERE account_id = $1 AND at = ${bucket})
       GROUP BY GROUPING SETS ((account_id), ())
       HAVING count(*) > 0
       ON CONFLICT DO NOTHING`,
      [EVERY_ACCOUNT],
    );
  }
}
