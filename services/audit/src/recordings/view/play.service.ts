import type { MessageInitShape } from '@bufbuild/protobuf';
import { Injectable } from '@nestjs/common';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import type { FindSnapshotResponseSchema, ReadChunkResponseSchema } from '@warren/proto/audit/v1/recordings';
import { EventStore } from '../../recording/event.store.ts';
import { audited, recordingTarget } from '../audited.ts';
import { ChunkReader } from './chunk.reader.ts';
import { Noted } from './noted.ts';
import { noteView, type ShownRow } from './view.sql.ts';
import { ViewService } from './view.service.ts';

const NOTED_MS = 1_800_000;

/** Gives the content of recordings to people who may play them. */
@Injectable()
export class PlayService {
  /** Who reads which recording. */
  private readonly noted = new Noted(NOTED_MS);

  constructor(
    private readonly views: ViewService,
    private readonly reader: ChunkReader,
    private readonly events: EventStore,
  ) {}

  /** @throws Fault `not_found`; `permission_denied`; `unavailable`; `data_loss` for content that is gone or was changed */
  async chunk(
    caller: Caller,
    { id, sequence }: { id: string; sequence: number },
  ): Promise<MessageInitShape<typeof ReadChunkResponseSchema>> {
    const row = await this.views.playable(caller, id);
    await this.note(caller, row);
    const { chunk, content } = await this.reader.compressed({ accountId: row.accountId, recordingId: id }, sequence);
    const { size, fromMs, hash } = chunk;
    return { content, size, fromMs: BigInt(fromMs), tag: hash.toString('base64url') };
  }

  /** @throws Fault as {@link chunk} */
  async snapshot(
    caller: Caller,
    { id, atMs }: { id: string; atMs: bigint },
  ): Promise<MessageInitShape<typeof FindSnapshotResponseSchema>> {
    const row = await this.views.playable(caller, id);
    await this.note(caller, row);
    const place = { accountId: row.accountId, recordingId: id };
    const found = await this.reader.snapshot(place, Number(atMs));
    if (!found) return {};
    const { offset, sequence, cols, rows, data } = found;
    return { snapshot: { atMs: BigInt(found.atMs), offset: BigInt(offset), sequence, cols, rows, data } };
  }

  /** The first look of a person in an hour is an event, which is stored before the content is given. */
  private async note(caller: Caller, row: ShownRow): Promise<void> {
    const user = requireUser(caller);
    const viewer = `${user.userId}:${user.token?.id ?? ''}`;
    const key = `${row.id}:${viewer}`;
    if (this.noted.has(key)) return;
    const place = { accountId: row.accountId, recordingId: row.id };
    await this.events.storeFrom(async (manager) => {
      if (!(await noteView(manager, place, viewer))) return [];
      const details = { device: row.deviceId, person: row.userEmail, started: row.started.toISOString() };
      const target = recordingTarget(row);
      return [audited(caller, { action: 'recording.view', accountId: row.accountId, target, details })];
    });
    this.noted.add(key);
  }
}
