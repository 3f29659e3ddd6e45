import { Body, Controller, Delete, Get, Param, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Fault } from '@warren/platform/errors/fault';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { RecordingsService, type Recording } from '@warren/proto/audit/v1/recordings';
import type { Response } from 'express';
import { AccountNames } from '../audit/account.names.ts';
import { CurrentCaller } from '../auth/caller.decorator.ts';
import { Describe, DescribeContent } from '../http/api.decorators.ts';
import { done, doneSchema } from '../http/done.ts';
import { idSchema } from '../http/schemas.ts';
import { sendChunk } from './chunk.content.ts';
import { kindOf, recordingJson, timestampOf } from './recording.mapper.ts';
import {
  chunkListSchema,
  hitListSchema,
  holdRecordingBody,
  listChunksQuery,
  listRecordingsQuery,
  recordingAnswerSchema,
  recordingChangedSchema,
  recordingListSchema,
  searchRecordingsQuery,
  sequenceSchema,
  snapshotAnswerSchema,
  snapshotQuery,
  type HoldRecordingBody,
  type ListChunksQuery,
  type ListRecordingsQuery,
  type SearchRecordingsQuery,
  type SnapshotQuery,
} from './recording.schemas.ts';

const WHO = 'SuperAdmins; owners and admins for their account.';
const MANAGERS = 'SuperAdmins; owners for their account.';
/** Longer than the audit service searches. */
const SEARCH_TIMEOUT_MS = 10_000;

/** Recordings of terminals and desktops. */
@ApiTags('recordings')
@Controller('api/recordings')
export class RecordingsController {
  constructor(
    @InjectRpc(RecordingsService) private readonly recordings: RpcClient<typeof RecordingsService>,
    private readonly names: AccountNames,
  ) {}

  @Get()
  @Describe({
    summary: 'Lists recordings, newest first.',
    description: `${WHO} Everybody else sees their own sessions, which they can't play.`,
    answer: recordingListSchema,
    errors: [404],
  })
  async listRecordings(
    @CurrentCaller() caller: Caller,
    @Query({ schema: listRecordingsQuery }) query: ListRecordingsQuery,
  ) {
    const { account, device = '', person = '', from, to, kind, before = '', live, held, own, limit } = query;
    const { recordings, nextCursor } = await this.recordings.listRecordings(caller, {
      accountId: account,
      deviceId: device,
      person,
      ...timesOf({ from, to }),
      kind: kindOf(kind),
      ...(live !== undefined && { live }),
      ...(held !== undefined && { held }),
      own,
      limit,
      cursor: before,
    });
    return { recordings: await this.shown(caller, recordings), next: nextCursor || null };
  }

  @Get('search')
  @Describe({
    summary: 'Searches for text that appeared on the screen of recorded terminals.',
    description: `${WHO} Read on with \`next\` until it is null, also after a short or empty page: a search ends a page after a short time.`,
    answer: hitListSchema,
    errors: [404],
  })
  async searchRecordings(
    @CurrentCaller() caller: Caller,
    @Query({ schema: searchRecordingsQuery }) query: SearchRecordingsQuery,
  ) {
    const { account, device = '', person = '', from, to, search, recording = '', limit, cursor } = query;
    const request = {
      accountId: account,
      deviceId: device,
      person,
      ...timesOf({ from, to }),
      text: search,
      recordingId: recording,
      limit,
      cursor,
    };
    const found = await this.recordings.searchRecordings(caller, request, { timeoutMs: SEARCH_TIMEOUT_MS });
    return {
      hits: found.hits.map(({ recordingId, atMs, offset, line }) => ({
        recording: recordingId,
        atMs: Number(atMs),
        offset: Number(offset),
        line,
      })),
      recordings: await this.shown(caller, found.recordings),
      next: found.nextCursor || null,
    };
  }

  @Get(':id')
  @Describe({
    summary: 'Reads the entry of a recording.',
    description: `${WHO} Everybody else for their own sessions.`,
    answer: recordingAnswerSchema,
    errors: [404],
  })
  async getRecording(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    const { recording } = await this.recordings.getRecording(caller, { id });
    return { recording: await this.one(caller, id, recording) };
  }

  @Get(':id/chunks')
  @Describe({ summary: 'Reads the index of a recording.', description: WHO, answer: chunkListSchema, errors: [404] })
  async listRecordingChunks(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: listChunksQuery }) { from, limit }: ListChunksQuery,
  ) {
    const { first, offsets, fromMs, toMs, sizes, end, more } = await this.recordings.listChunks(caller, {
      id,
      from,
      limit,
    });
    const numbers = { offsets: offsets.map(Number), from: fromMs.map(Number), to: toMs.map(Number), sizes };
    return { first, ...numbers, end: Number(end), more };
  }

  @Get(':id/chunks/:sequence')
  @DescribeContent({
    summary: 'Reads a chunk of a recording.',
    description: `${WHO} The format is described in docs/recording.md. A chunk never changes, so it may be cached. The first one that a person reads of a recording in an hour is an event.`,
    content: { 'application/octet-stream': null },
    errors: [404],
  })
  async getRecordingChunk(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Param('sequence', { schema: sequenceSchema }) sequence: number,
    @Res() response: Response,
  ): Promise<void> {
    await sendChunk(response, await this.recordings.readChunk(caller, { id, sequence }));
  }

  @Get(':id/snapshot')
  @Describe({
    summary: 'Reads the last snapshot of the screen at a time or before it.',
    description: `${WHO} Recordings of desktops have none.`,
    answer: snapshotAnswerSchema,
    errors: [404],
  })
  async getRecordingSnapshot(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Query({ schema: snapshotQuery }) { at }: SnapshotQuery,
  ) {
    const { snapshot } = await this.recordings.findSnapshot(caller, { id, atMs: BigInt(at) });
    if (!snapshot) return { snapshot: null };
    const { atMs, offset, sequence, cols, rows, data } = snapshot;
    return { snapshot: { atMs: Number(atMs), offset: Number(offset), sequence, size: { cols, rows }, data } };
  }

  @Put(':id/hold')
  @Describe({
    summary: 'Holds a recording, so that nothing deletes it, or releases it.',
    description: MANAGERS,
    answer: recordingChangedSchema,
    errors: [404],
  })
  async holdRecording(
    @CurrentCaller() caller: Caller,
    @Param('id', { schema: idSchema }) id: string,
    @Body({ schema: holdRecordingBody }) body: HoldRecordingBody,
  ) {
    const { reason = '' } = body;
    const { recording } = await this.recordings.holdRecording(caller, { id, held: body.held, reason });
    const text = body.held ? 'recording successfully held' : 'recording successfully released';
    return { ...done(text), result: await this.one(caller, id, recording) };
  }

  @Delete(':id')
  @Describe({
    summary: 'Deletes a recording.',
    description: `${MANAGERS} Not while it is held, or its session is live (409).`,
    answer: doneSchema,
    errors: [404, 409],
  })
  async deleteRecording(@CurrentCaller() caller: Caller, @Param('id', { schema: idSchema }) id: string) {
    await this.recordings.deleteRecording(caller, { id });
    return done('recording successfully deleted');
  }

  private async one(caller: Caller, id: string, recording: Recording | undefined) {
    if (!recording) throw new Fault('not_found', `recording ${id}.`);
    const [shown] = await this.shown(caller, [recording]);
    return shown;
  }

  private async shown(caller: Caller, recordings: readonly Recording[]) {
    const user = requireUser(caller);
    const names = await this.names.seenBy(caller)(recordings.map(({ accountId }) => accountId));
    return recordings.map((one) => recordingJson(one, user, names.get(one.accountId) ?? ''));
  }
}

function timesOf({ from, to }: { from: string | undefined; to: string | undefined }) {
  const [since, until] = [timestampOf(from), timestampOf(to)];
  return { ...(since && { from: since }), ...(until && { to: until }) };
}
