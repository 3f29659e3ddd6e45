import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { listScope } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import {
  EventFilterSchema,
  type AuditEntrySchema,
  type EventFilter,
  type GetEventResponseSchema,
  type ListEventsRequest,
  type ListEventsResponseSchema,
} from '@warren/proto/audit/v1/audit';
import { SortOrder } from '@warren/proto/common/v1/common';
import { DataSource } from 'typeorm';
import { validate } from 'uuid';
import { INSTALLATION, readEvent } from '../recording/row.ts';
import { idAt, listEvents, readStored, type EventConditions, type PageOf, type StoredEvent } from './list.sql.ts';
import { searchText, type Found } from './text.search.ts';

const MAX_LIMIT = 1_000;
const MAX_ACTIONS = 100;
const MAX_TEXT = 200;
/** Shorter texts have no trigram, so no index finds them. */
const MIN_TEXT = 3;

/** Reads the trail for people who may. */
@Injectable()
export class ListService {
  constructor(private readonly source: DataSource) {}

  /** @throws Fault `permission_denied`; `not_found` for an account out of sight; `invalid_argument` */
  async list(
    caller: Caller,
    request: Pick<ListEventsRequest, 'filter' | 'limit' | 'cursor' | 'order'>,
  ): Promise<MessageInitShape<typeof ListEventsResponseSchema>> {
    const { accountId } = listScope(caller, 'audit.read', uuidOf('account', request.filter?.accountId ?? ''));
    const conditions = { ...conditionsOf(request.filter ?? create(EventFilterSchema)), accountId };
    const limit = Math.min(Math.max(request.limit, 1), MAX_LIMIT);
    const page = {
      cursor: uuidOf('cursor', request.cursor).toLowerCase() || undefined,
      newestFirst: request.order !== SortOrder.ASC,
      limit: limit + 1,
    };
    const { events, next } = await this.page(conditions, page);
    const shown = events.slice(0, limit);
    return { events: shown.map(entryOf), nextCursor: events.length > limit ? (shown.at(-1)?.id ?? '') : (next ?? '') };
  }

  private async page(conditions: EventConditions, page: PageOf): Promise<Found> {
    const { cursor, newestFirst, limit } = page;
    if (!conditions.text || !newestFirst)
      return { events: await listEvents(this.source, conditions, page), next: undefined };
    const { to } = conditions;
    const before = to && cursor ? (cursor < to ? cursor : to) : (cursor ?? to);
    return searchText(this.source, { ...conditions, to: before }, { limit });
  }

  /** @throws Fault `permission_denied`; `not_found`, for an event of another account too */
  async get(caller: Caller, id: string): Promise<MessageInitShape<typeof GetEventResponseSchema>> {
    const { accountId } = listScope(caller, 'audit.read', '');
    const row = validate(id) ? await readStored(this.source, id, accountId) : undefined;
    if (!row) throw new Fault('not_found', `audit event ${id}.`);
    return { event: entryOf(row) };
  }
}

function conditionsOf(filter: EventFilter): Omit<EventConditions, 'accountId'> {
  const text = filter.text.trim();
  if (text && (text.length < MIN_TEXT || text.length > MAX_TEXT))
    throw invalidInput({ field: 'text', message: `expected ${MIN_TEXT} to ${MAX_TEXT} characters` });
  const actions = [...new Set(filter.actions)];
  if (actions.length > MAX_ACTIONS)
    throw invalidInput({ field: 'actions', message: `expected at most ${MAX_ACTIONS} actions` });
  const { actorId, actorEmail, targetId, requestId, outcomes } = filter;
  return {
    ...boundsOf(filter),
    actorId,
    actorEmail: actorEmail.toLowerCase(),
    actions,
    targetId,
    outcomes,
    requestId,
    text: text.toLowerCase(),
  };
}

function boundsOf({ from, to }: EventFilter): Pick<EventConditions, 'from' | 'to'> {
  return { from: from && idAt(timestampDate(from)), to: to && idAt(timestampDate(to)) };
}

function uuidOf(field: string, value: string): string {
  if (value === '' || validate(value)) return value;
  throw invalidInput({ field, message: 'expected a UUID' });
}

function entryOf({ id, time, accountId, sequence, event }: StoredEvent): MessageInitShape<typeof AuditEntrySchema> {
  return {
    id,
    time: timestampFromDate(time),
    accountId: accountId === INSTALLATION ? '' : accountId,
    event: readEvent(event),
    sequence: BigInt(sequence),
  };
}
