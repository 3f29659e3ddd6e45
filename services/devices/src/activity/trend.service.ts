import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import type { DeviceScope } from '@warren/platform/policy/device.access';
import type { Caller } from '@warren/platform/rpc/caller';
import type { GetDeviceTrendResponseSchema } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { filterIn, scopeOf } from '../access/scope.ts';
import { whereOf } from '../devices/device-list.source.ts';
import { requireTrendHours } from '../history/bounds.ts';
import { readCounts, readCountsOf, sampleCounts, type CountRow } from '../history/history.sql.ts';

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
    const scope = scopeOf(caller, request.accountId);
    const hours = requireTrendHours(request.hours);
    const rows = await this.read(scope, hours);
    return { counts: rows.map(({ at, ...counts }) => ({ at: timestampFromDate(at), ...counts })) };
  }

  /** The samples are of whole accounts, so those of somebody who sees a part are computed. */
  private async read(scope: DeviceScope, hours: number): Promise<CountRow[]> {
    const filter = await filterIn(this.source, scope);
    if (!filter.condition) return readCounts(this.source, scope.accountId, hours);
    return readCountsOf(this.source, whereOf({ pattern: undefined, ...filter }), { hours, minutes: SAMPLE_MINUTES });
  }

  /** Counts every account once per ten minutes, by any replica. */
  async sample(): Promise<void> {
    await sampleCounts(this.source, SAMPLE_MINUTES);
  }
}
