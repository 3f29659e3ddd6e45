import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { invalidInput, shownValue } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import type { GetAlertTrendResponseSchema } from '@warren/proto/fleet/v1/alerts';
import { DataSource } from 'typeorm';
import { AlertSight } from '../list/alert.sight.ts';
import { readOpenCounts } from '../records/open-counts.sql.ts';
import { scopeOf } from '../scope.ts';

const MOST_HOURS = 168;
/** A longer time has points of an hour. */
const FINE_HOURS = 48;

/** The number of open alerts over time. */
@Injectable()
export class AlertTrend {
  constructor(
    private readonly source: DataSource,
    private readonly sight: AlertSight,
  ) {}

  /** @throws Fault `not_found` for an account out of sight; `invalid_argument` */
  async trend(
    caller: Caller,
    { accountId, hours }: { accountId: string; hours: number },
  ): Promise<MessageInitShape<typeof GetAlertTrendResponseSchema>> {
    const scope = scopeOf(caller, accountId);
    if (!Number.isInteger(hours) || hours < 1 || hours > MOST_HOURS)
      throw invalidInput({ field: 'hours', message: `expected 1 to ${MOST_HOURS}.`, value: shownValue(hours) });
    const minutes = hours <= FINE_HOURS ? 10 : 60;
    const deviceIds = await this.sight.devicesIn(scope);
    const rows = await readOpenCounts(this.source, { accountId: scope.accountId, deviceIds, hours, minutes });
    return { counts: rows.map(({ at, ...counts }) => ({ at: timestampFromDate(at), ...counts })) };
  }
}
