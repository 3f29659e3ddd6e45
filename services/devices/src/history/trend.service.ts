import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import type { Caller } from '@warren/platform/rpc/caller';
import type { GetDeviceTrendResponseSchema } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { scopeOf } from '../accounts/scope.ts';
import { requireTrendHours } from './bounds.ts';
import { readCounts, sampleCounts } from './history.sql.ts';

/** Minutes between two samples. */
const SAMPLE_MINUTES = 10;

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
    const rows = await readCounts(this.source, accountId, hours);
    return { counts: rows.map(({ at, ...counts }) => ({ at: timestampFromDate(at), ...counts })) };
  }

  /** Counts every account once per ten minutes, by any replica. */
  async sample(): Promise<void> {
    await sampleCounts(this.source, SAMPLE_MINUTES);
  }
}
