import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { requireMay } from '@warren/platform/policy/policy';
import { requireUser, type Caller } from '@warren/platform/rpc/caller';
import {
  RecordingFormat,
  RecordingKind,
  type ReadExportResponseSchema,
  type StartExportResponseSchema,
} from '@warren/proto/audit/v1/recordings';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { EventStore } from '../../recording/event.store.ts';
import { audited, recordingTarget } from '../audited.ts';
import { settingsOf } from '../keep/usage.sql.ts';
import { ViewService } from '../view/view.service.ts';
import type { ShownRow } from '../view/view.sql.ts';
import { bounded, ExportContents } from './contents.ts';
import { Redactions } from '../redact/redactions.ts';

const PART = 262_144;
/** Exports at the same time: of a person, and of this process. */
const MOST_OF_PERSON = 2;
const MOST = 8;
const IDLE_MS = 30_000;
/** A part may be short after so long, so that its caller does not give up. */
const PART_MS = 5_000;

interface Running {
  userId: string;
  pieces: AsyncGenerator<string>;
  /** Made, and not taken yet. */
  rest: Buffer;
  busy: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Exports of this process. Each one waits for its caller to take a part before it makes the next. */
@Injectable()
export class RecordingExports implements BeforeApplicationShutdown {
  /** The name under which callers reach this process. */
  readonly instance = uuidv7();
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly source: DataSource,
    private readonly views: ViewService,
    private readonly contents: ExportContents,
    private readonly events: EventStore,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.running.keys()].map((id) => this.end(id)));
  }

  /**
   * Starts an export.
   * @throws Fault `not_found`; `permission_denied`; `invalid_argument` for a desktop; `resource_exhausted` beyond the exports at the same time
   */
  async start(
    caller: Caller,
    { id, format }: { id: string; format: RecordingFormat },
  ): Promise<MessageInitShape<typeof StartExportResponseSchema>> {
    const { userId } = requireUser(caller);
    const row = await this.views.find(caller, id);
    requireMay(caller, 'recordings.export', row.accountId, `recording ${id}`);
    if (row.kind === RecordingKind.DESKTOP)
      throw new Fault('invalid_argument', 'recordings of desktops can be played, not exported.');
    const settings = await settingsOf(this.source, row.accountId);
    // Nothing is awaited between the check and the entry: exports that start at the same time count each other.
    this.requireFree(userId);
    const exportId = uuidv7();
    const redactions = new Redactions(settings?.redactions ?? []);
    const isText = format === RecordingFormat.TEXT;
    const pieces = bounded(isText ? this.contents.text(row, redactions) : this.contents.asciicast(row, redactions));
    this.running.set(exportId, { userId, pieces, rest: Buffer.alloc(0), busy: false, timer: undefined });
    try {
      await this.events.store([exported(caller, row, isText ? 'text' : 'asciicast')]);
    } catch (error) {
      await this.end(exportId);
      throw error;
    }
    this.arm(exportId);
    const { deviceName, started } = row;
    return { exportId, instance: this.instance, deviceName, started: timestampFromDate(started) };
  }

  /** Makes the next part. @throws Fault `not_found` for an export that has ended, or is another person's */
  async read(
    caller: Caller,
    { exportId }: { exportId: string },
  ): Promise<MessageInitShape<typeof ReadExportResponseSchema>> {
    const running = this.of(caller, exportId);
    if (running.busy) throw new Fault('failed_precondition', 'the part before is not made yet.');
    running.busy = true;
    clearTimeout(running.timer);
    try {
      const end = await this.fill(running);
      const content = running.rest.subarray(0, PART);
      running.rest = running.rest.subarray(content.length);
      const isEnd = end && running.rest.length === 0;
      if (isEnd) await this.end(exportId);
      return { content, end: isEnd };
    } catch (error) {
      await this.end(exportId);
      throw error;
    } finally {
      running.busy = false;
      this.arm(exportId);
    }
  }

  async cancel(caller: Caller, { exportId }: { exportId: string }): Promise<Record<string, never>> {
    this.of(caller, exportId);
    await this.end(exportId);
    return {};
  }

  /** @returns whether there is nothing more to make */
  private async fill(running: Running): Promise<boolean> {
    const until = performance.now() + PART_MS;
    const made = [running.rest];
    let size = running.rest.length;
    while (size < PART && performance.now() < until) {
      const { value, done } = await running.pieces.next();
      if (done) {
        running.rest = Buffer.concat(made);
        return true;
      }
      const piece = Buffer.from(value);
      made.push(piece);
      size += piece.length;
    }
    running.rest = Buffer.concat(made);
    return false;
  }

  private of(caller: Caller, exportId: string): Running {
    const running = this.running.get(exportId);
    if (running?.userId !== requireUser(caller).userId) throw new Fault('not_found', `export ${exportId}.`);
    return running;
  }

  private requireFree(userId: string): void {
    const all = [...this.running.values()];
    const own = all.filter((one) => one.userId === userId);
    const text = own.length >= MOST_OF_PERSON ? 'exports of yours are running' : 'others are exporting';
    if (own.length < MOST_OF_PERSON && all.length < MOST) return;
    throw new Fault('resource_exhausted', `${text}; wait for one to finish.`, { retryAfter: 10 });
  }

  private arm(exportId: string): void {
    const running = this.running.get(exportId);
    if (!running) return;
    clearTimeout(running.timer);
    running.timer = setTimeout(() => void this.end(exportId), IDLE_MS);
    running.timer.unref();
  }

  private async end(exportId: string): Promise<void> {
    const running = this.running.get(exportId);
    if (!running) return;
    this.running.delete(exportId);
    clearTimeout(running.timer);
    await running.pieces.return(undefined).catch(() => {});
  }
}

function exported(caller: Caller, row: ShownRow, format: string) {
  const { accountId, deviceId, userEmail, started } = row;
  const details = { format, device: deviceId, person: userEmail, started: started.toISOString() };
  return audited(caller, { action: 'recording.export', accountId, target: recordingTarget(row), details });
}
