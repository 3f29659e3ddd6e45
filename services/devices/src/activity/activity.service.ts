import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Caller } from '@warren/platform/rpc/caller';
import {
  ActivityKind,
  ActivityTopic,
  type GetDevicePresenceResponseSchema,
  type ListActivityResponseSchema,
} from '@warren/proto/devices/v1/devices';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { viewableRights } from '../access/rights.ts';
import { filterIn, scopeOf } from '../access/scope.ts';
import { whereOf } from '../devices/device-list.source.ts';
import { requireHours, requireLimit, requireTopic } from '../history/bounds.ts';
import {
  readActivity,
  readDeviceActivity,
  readNow,
  readTurns,
  type ActivityRow,
  type DeviceNow,
} from '../history/history.sql.ts';
import { spansOf } from '../history/presence-spans.ts';

/** Maximum changes in one strip; for a device that flaps more often, earlier time counts as unknown. */
const MAX_TURNS = 2_000;
const MAX_EVENTS = 1_000;
/** What begins or ends a span. */
const TURNS = [ActivityKind.ENROLLED, ActivityKind.CONNECTED, ActivityKind.DISCONNECTED, ActivityKind.MOVED_IN];

/** The history of devices. */
@Injectable()
export class ActivityService {
  constructor(private readonly source: DataSource) {}

  /** Lists events, newest first, of an account or (with an empty `accountId`) of all that the caller may see. */
  async list(
    caller: Caller,
    request: { accountId: string; limit: number; topic?: ActivityTopic },
  ): Promise<MessageInitShape<typeof ListActivityResponseSchema>> {
    const scope = scopeOf(caller, request.accountId);
    const { accountId } = scope;
    const topic = requireTopic(request.topic ?? ActivityTopic.UNSPECIFIED);
    const filter = await filterIn(this.source, scope);
    const seen = filter.condition && whereOf({ pattern: undefined, ...filter });
    const rows = await readActivity(this.source, { accountId, topic, seen, limit: requireLimit(request.limit) });
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
    const device = await this.now(caller, id);
    const rows = await readDeviceActivity(this.source, { id, accountId: device.account_id }, [from, to], MAX_EVENTS);
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
    const hours = requireHours(request.hours);
    const device = await this.now(caller, request.id);
    const from = new Date(device.now.getTime() - hours * 3_600_000);
    const of = { id: request.id, accountId: device.account_id, from };
    const turns = (await readTurns(this.source, of, TURNS, MAX_TURNS)).reverse();
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

  /** @throws Fault `not_found` if it does not exist, or if the caller may not view it */
  private async now(caller: Caller, id: string): Promise<DeviceNow> {
    const { accountId } = scopeOf(caller, '');
    const device = isUuid(id) ? await readNow(this.source, id, accountId) : undefined;
    await viewableRights(this.source, caller, device && { id, account_id: device.account_id }, `device ${id}`);
    if (!device) throw new Fault('not_found', `device ${id}.`);
    return device;
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
