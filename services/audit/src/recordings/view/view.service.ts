import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { listScope, may, requireMay, sightOf } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type {
  ListChunksResponseSchema,
  ListRecordingsRequest,
  ListRecordingsResponseSchema,
  RecordingResponseSchema,
} from '@warren/proto/audit/v1/recordings';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { RECORDING_DEFAULTS, type RecordingDefaults } from '../keep/quota.ts';
import { recordingMessage } from './recording.message.ts';
import { chunksFrom, findRecording, listRecordings, type RecordingConditions, type ShownRow } from './view.sql.ts';

const MAX_LIMIT = 200;
const MAX_CHUNKS = 10_000;
const MAX_TEXT = 200;

type Filter = Pick<ListRecordingsRequest, 'accountId' | 'deviceId' | 'person'> &
  Partial<Pick<ListRecordingsRequest, 'from' | 'to' | 'live' | 'held' | 'kind' | 'own'>>;

/** Lists recordings, and says where their chunks are. */
@Injectable()
export class ViewService {
  constructor(
    private readonly source: DataSource,
    @Inject(RECORDING_DEFAULTS) private readonly defaults: RecordingDefaults,
  ) {}

  /** @throws Fault `permission_denied`; `not_found` for an account out of sight; `invalid_argument` */
  async list(
    caller: Caller,
    request: Filter & Pick<ListRecordingsRequest, 'limit' | 'cursor'>,
  ): Promise<MessageInitShape<typeof ListRecordingsResponseSchema>> {
    const limit = Math.min(Math.max(request.limit, 1), MAX_LIMIT);
    const cursor = uuidOf('cursor', request.cursor) || undefined;
    const rows = await listRecordings(this.source, seenBy(caller, request), { cursor, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    return {
      recordings: shown.map((row) => recordingMessage(row, this.defaults.days)),
      nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? '') : '',
    };
  }

  /** @throws Fault `not_found`, for a recording that the caller may not see as well */
  async get(caller: Caller, id: string): Promise<MessageInitShape<typeof RecordingResponseSchema>> {
    const user = requireUser(caller);
    const row = await this.find(caller, id);
    const isOwn = row.userId === user.userId && row.accountId === user.accountId && !user.token && !user.guest;
    if (!isOwn) requireMay(caller, 'recordings.view', row.accountId, `recording ${id}`);
    return { recording: recordingMessage(row, this.defaults.days) };
  }

  /** @throws Fault `not_found`; `permission_denied` */
  async chunks(
    caller: Caller,
    { id, from, limit }: { id: string; from: number; limit: number },
  ): Promise<MessageInitShape<typeof ListChunksResponseSchema>> {
    const row = await this.playable(caller, id);
    const most = Math.min(Math.max(limit, 1), MAX_CHUNKS);
    const found = await chunksFrom(this.source, { accountId: row.accountId, recordingId: id }, from, most + 1);
    const chunks = found.slice(0, most);
    return {
      first: from,
      offsets: chunks.map((chunk) => BigInt(chunk.from)),
      fromMs: chunks.map((chunk) => BigInt(chunk.fromMs)),
      toMs: chunks.map((chunk) => BigInt(chunk.toMs)),
      sizes: chunks.map(({ size }) => size),
      end: BigInt(chunks.at(-1)?.to ?? row.next),
      more: found.length > most,
    };
  }

  /** A recording that the caller may play. @throws Fault `not_found`; `permission_denied` */
  async playable(caller: Caller, id: string): Promise<ShownRow> {
    const row = await this.find(caller, id);
    requireMay(caller, 'recordings.view', row.accountId, `recording ${id}`);
    return row;
  }

  /** A recording in sight. @throws Fault `not_found` */
  async find(caller: Caller, id: string): Promise<ShownRow> {
    const row = isUuid(id) ? await findRecording(this.source, id, sightOf(caller)) : undefined;
    if (!row) throw new Fault('not_found', `recording ${id}.`);
    return row;
  }
}

/** The recordings that a caller may see in a list. @throws Fault `permission_denied`; `not_found`; `invalid_argument` */
function seenBy(caller: Caller, filter: Filter): RecordingConditions {
  const user = requireUser(caller);
  const account = uuidOf('account', filter.accountId);
  const conditions = filterOf(filter);
  const isOther = account !== '' && account !== user.accountId;
  const isAllowed = may(user, 'recordings.view', user.accountId);
  if (isOther || isAllowed || user.token || user.guest) {
    const { accountId } = listScope(caller, 'recordings.view', account);
    return { ...conditions, accountId, ownerId: filter.own ? user.userId : undefined };
  }
  return { ...conditions, accountId: user.accountId, ownerId: user.userId };
}

/** The conditions of a filter, of no account yet. @throws Fault `invalid_argument` */
export function filterOf({ deviceId, person, from, to, live, held, kind = 0 }: Filter): RecordingConditions {
  if (person.length > MAX_TEXT)
    throw invalidInput({ field: 'person', message: `expected at most ${MAX_TEXT} characters` });
  return {
    accountId: undefined,
    ownerId: undefined,
    deviceId: uuidOf('device', deviceId),
    person,
    from: from && timestampDate(from),
    to: to && timestampDate(to),
    live,
    held,
    kind,
  };
}

/** @throws Fault `invalid_argument` for a text that is neither empty nor a UUID */
export function uuidOf(field: string, value: string): string {
  if (value === '' || isUuid(value)) return value.toLowerCase();
  throw invalidInput({ field, message: 'expected a UUID' });
}
