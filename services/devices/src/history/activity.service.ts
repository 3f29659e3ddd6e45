import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import type {
  ActivityKind,
  GetDevicePresenceResponseSchema,
  ListActivityResponseSchema,
} from '@warren/proto/devices/v1/devices';
import { ActivityKind as Kind } from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { scopeOf } from '../accounts/scope.ts';
import { requireHours, requireLimit } from './bounds.ts';
import { spansOf, type Turn } from './presence-spans.ts';

/** Maximum changes in one strip; for a device that flaps more often, earlier time counts as unknown. */
const MAX_TURNS = 2_000;
const MAX_EVENTS = 1_000;

interface ActivityRow {
  id: string;
  at: Date;
  kind: ActivityKind;
  device_id: string;
  device_name: string;
  account_id: string;
  account_name: string | null;
  detail: string;
  actor: string;
}

const SELECT_ACTIVITY = `
  SELECT h.id, h.at, h.kind, h.device_id, h.device_name, h.account_id, a.name AS account_name, h.detail, h.actor
  FROM device_history h LEFT JOIN accounts a ON a.id = h.account_id`;

interface NowRow {
  connected: boolean;
  account_id: string;
  created: Date;
  now: Date;
}

/** The history of devices. */
@Injectable()
export class ActivityService {
  constructor(private readonly source: DataSource) {}

  /** Lists events, newest first, of an account or (with an empty `accountId`) of all that the caller may see. */
  async list(
    caller: Caller,
    request: { accountId: string; limit: number },
  ): Promise<MessageInitShape<typeof ListActivityResponseSchema>> {
    const accountId = scopeOf(caller, request.accountId);
    const values: unknown[] = [requireLimit(request.limit)];
    const where = accountId === undefined ? '' : `WHERE h.account_id = $${values.push(accountId)}`;
    const rows = await this.source.query<ActivityRow[]>(
      `${SELECT_ACTIVITY} ${where} ORDER BY h.at DESC, h.id DESC LIMIT $1`,
      values,
    );
    return { activity: rows.map(asActivity) };
  }

  /**
   * Lists events of one device in a span of seconds since 1970, newest first: of the account that it is in.
   * @throws Fault as {@link presence}
   */
  async events(
    caller: Caller,
    { id, from, to }: { id: string; from: number; to: number },
  ): Promise<MessageInitShape<typeof ListActivityResponseSchema>> {
    const device = isUuid(id) ? await this.now(id, scopeOf(caller, '')) : undefined;
    if (!device) throw new Fault('not_found', `device ${id}.`);
    const rows = await this.source.query<ActivityRow[]>(
      `${SELECT_ACTIVITY} WHERE h.device_id = $1 AND h.account_id = $2 AND h.at >= to_timestamp($3) AND h.at < to_timestamp($4)
       ORDER BY h.at DESC, h.id DESC LIMIT ${MAX_EVENTS}`,
      [id, device.account_id, from, to],
    );
    return { activity: rows.map(asActivity) };
  }

  /**
   * When a device was connected, as far as its account may see.
   * @throws Fault `not_found` if it does not exist, or if the caller may not see its account
   */
  async presence(
    caller: Caller,
    request: { id: string; hours: number },
  ): Promise<MessageInitShape<typeof GetDevicePresenceResponseSchema>> {
    const accountId = scopeOf(caller, '');
    const hours = requireHours(request.hours);
    const device = isUuid(request.id) ? await this.now(request.id, accountId) : undefined;
    if (!device) throw new Fault('not_found', `device ${request.id}.`);
    const from = new Date(device.now.getTime() - hours * 3_600_000);
    const turns = await this.turns(request.id, device.account_id, from);
    const oldest = turns.length === MAX_TURNS ? turns[0]?.at : undefined;
    const spans = spansOf(from, device.now, turns, device.connected, oldest ?? device.created);
    return {
      spans: spans.map((span) => ({
        from: timestampFromDate(span.from),
        to: timestampFromDate(span.to),
        state: span.state,
      })),
    };
  }

  private async now(id: string, accountId: string | undefined): Promise<NowRow | undefined> {
    const [row] = await this.source.query<NowRow[]>(
      `SELECT connected, account_id, created, now() FROM devices
       WHERE id = $1 ${accountId === undefined ? '' : 'AND account_id = $2'}`,
      accountId === undefined ? [id] : [id, accountId],
    );
    return row;
  }

  private async turns(id: string, accountId: string, from: Date): Promise<Turn[]> {
    const kinds = [Kind.ENROLLED, Kind.CONNECTED, Kind.DISCONNECTED, Kind.MOVED_IN];
    const rows = await this.source.query<Turn[]>(
      `SELECT at, kind FROM device_history
       WHERE device_id = $1 AND account_id = $2 AND at >= $3 AND kind = ANY ($4)
       ORDER BY at DESC, id DESC LIMIT ${MAX_TURNS}`,
      [id, accountId, from, kinds],
    );
    return rows.reverse();
  }
}

function asActivity(row: ActivityRow) {
  return {
    id: row.id,
    at: timestampFromDate(row.at),
    kind: row.kind,
    deviceId: row.device_id,
    deviceName: row.device_name,
    accountId: row.account_id,
    accountName: row.account_name ?? '',
    detail: row.detail,
    actor: row.actor,
  };
}
