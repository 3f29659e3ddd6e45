import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { listScope } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { SearchRecordingsRequest, SearchRecordingsResponseSchema } from '@warren/proto/audit/v1/recordings';
import { RECORDING_LIMITS } from '@warren/rules/recordings/settings';
import { DataSource, QueryFailedError } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { EventStore } from '../../recording/event.store.ts';
import { audited } from '../audited.ts';
import { Redactions } from '../redact/redactions.ts';
import { RECORDING_DEFAULTS, type RecordingDefaults } from '../keep/quota.ts';
import { settingsOf } from '../keep/usage.sql.ts';
import { Noted } from '../view/noted.ts';
import { recordingMessage } from '../view/recording.message.ts';
import { filterOf, uuidOf } from '../view/view.service.ts';
import { listRecordings, type RecordingConditions } from '../view/view.sql.ts';
import {
  limitTime,
  lookUpBlocks,
  walkBlocks,
  type FoundBlock,
  type SearchPlace,
  type TextQuery,
} from './search.sql.ts';

const { min: MIN_TEXT, max: MAX_TEXT } = RECORDING_LIMITS.search;
/** Blocks of a page. Their lines and recordings fit a message of the bus, 1 MB, whatever the script. */
const MAX_LIMIT = 100;
const MOST_SHOWN = 500;
/** Blocks that are read in order before the index is asked, and those of them with the text that make a page: it is frequent. */
const WINDOW = 1_000;
const ENOUGH = 10;
const STATEMENT_MS = 2_000;
const MASKING_MS = 2_000;
const NOTED_MS = 3_600_000;
/** An integer of PostgreSQL. */
const MOST_BLOCK = 2 ** 31 - 1;
const CANCELLED = '57014';

type Hit = { recordingId: string; atMs: bigint; offset: bigint; line: string };

/** Finds text that appeared on the screens of recordings which the caller may view. */
@Injectable()
export class SearchService {
  /** Who searches for what. */
  private readonly noted = new Noted(NOTED_MS);

  constructor(
    private readonly source: DataSource,
    private readonly events: EventStore,
    @Inject(RECORDING_DEFAULTS) private readonly defaults: RecordingDefaults,
  ) {}

  /**
   * Searches for a page of hits. Ends in time: a page may be short or empty before the last.
   * @throws Fault `permission_denied`; `not_found` for an account out of sight; `invalid_argument`
   */
  async search(
    caller: Caller,
    request: Omit<SearchRecordingsRequest, '$typeName'>,
  ): Promise<MessageInitShape<typeof SearchRecordingsResponseSchema>> {
    const { user, accountId } = listScope(caller, 'recordings.view', uuidOf('account', request.accountId));
    const text = textOf(request.text);
    const recordingId = uuidOf('recording', request.recordingId) || undefined;
    const conditions = { ...filterOf(request), accountId };
    const query = { conditions, text, recordingId, after: placeOf(request.cursor) };
    const limit = Math.min(Math.max(request.limit, 1), MAX_LIMIT);
    // A cursor may be made up, so it does not prove that the first page is in the audit trail.
    const key = [user.userId, user.token?.id, accountId, recordingId, text].join(':');
    if (!query.after || !this.noted.has(key)) {
      const details = { text: request.text, ...(recordingId && { recording: recordingId }) };
      const event = audited(caller, { action: 'recording.search', accountId: accountId ?? user.accountId, details });
      await this.events.store([event]);
      this.noted.add(key);
    }
    const { blocks, next } = await this.find(query, limit);
    const hits = await this.hitsIn(blocks, text);
    return {
      hits,
      recordings: await this.recordingsOf(conditions, hits),
      nextCursor: next ? `${next.recordingId}:${next.block}` : '',
    };
  }

  private async find(
    query: TextQuery,
    limit: number,
  ): Promise<{ blocks: FoundBlock[]; next?: SearchPlace | undefined }> {
    const walked = await this.inTime((manager) => walkBlocks(manager, query, { window: WINDOW, limit }));
    if (!walked) throw new Fault('unavailable', 'the search took too long: narrow it down.', { retryAfter: 5 });
    // One recording has few blocks, and is read in its order.
    const isEnough = walked.blocks.length >= Math.min(limit, ENOUGH);
    if (!walked.next || isEnough || query.recordingId !== undefined) return walked;
    const rest = { ...query, after: walked.next };
    const found = await this.inTime((manager) => lookUpBlocks(manager, rest, limit + 1));
    // The next page reads on in order.
    if (!found) return walked;
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { blocks: [...walked.blocks, ...found.slice(0, limit)], next: last };
  }

  /** @returns undefined if a statement takes too long */
  private async inTime<T>(work: (manager: Parameters<typeof walkBlocks>[0]) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.source.transaction(async (manager) => {
        await limitTime(manager, STATEMENT_MS);
        return work(manager);
      });
    } catch (error) {
      if (error instanceof QueryFailedError && (error.driverError as { code?: string }).code === CANCELLED)
        return undefined;
      throw error;
    }
  }

  /** Lines with the text. What the account redacts now is masked, and can't be searched for. */
  private async hitsIn(blocks: readonly FoundBlock[], text: string): Promise<Hit[]> {
    const redactions = new Map<string, Redactions>();
    for (const { accountId } of blocks) {
      if (redactions.has(accountId)) continue;
      redactions.set(accountId, new Redactions((await settingsOf(this.source, accountId))?.redactions ?? []));
    }
    const until = performance.now() + MASKING_MS;
    return blocks.flatMap(({ recordingId, accountId, atMs, offsets, lines }) =>
      lines.flatMap((line, at): Hit[] => {
        const masked = redactions.get(accountId)?.mask(line, until) ?? '';
        const found = masked.toLowerCase().indexOf(text);
        if (found < 0) return [];
        const from = Math.max(0, Math.min(found - MOST_SHOWN / 2, masked.length - MOST_SHOWN));
        const shown = masked.slice(from, from + MOST_SHOWN).toWellFormed();
        return [{ recordingId, atMs: BigInt(atMs[at] ?? 0), offset: BigInt(offsets[at] ?? 0), line: shown }];
      }),
    );
  }

  private async recordingsOf(conditions: RecordingConditions, hits: readonly Hit[]) {
    const ids = [...new Set(hits.map(({ recordingId }) => recordingId))];
    if (ids.length === 0) return [];
    const rows = await listRecordings(this.source, { ...conditions, ids }, { cursor: undefined, limit: ids.length });
    return rows.map((row) => recordingMessage(row, this.defaults.days));
  }
}

function textOf(text: string): string {
  const trimmed = text.trim().toLowerCase();
  if (trimmed.length >= MIN_TEXT && trimmed.length <= MAX_TEXT) return trimmed;
  throw invalidInput({ field: 'search', message: `expected ${MIN_TEXT} to ${MAX_TEXT} characters` });
}

function placeOf(cursor: string): SearchPlace | undefined {
  if (cursor === '') return undefined;
  const [recordingId = '', block = ''] = cursor.split(':');
  const isBlock = /^\d{1,10}$/.test(block) && Number(block) <= MOST_BLOCK;
  if (isUuid(recordingId) && isBlock) return { recordingId, block: Number(block) };
  throw invalidInput({ field: 'cursor', message: 'expected `next` of the page before' });
}
