import { decodeEvents, offsetAfter, type RecordedEvent } from '@warren/rules/recordings/frames';
import { randomUUID } from 'node:crypto';
import type { Caller } from '@warren/platform/rpc/caller';
import { zstdDecompressSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { PlayService } from '../src/recordings/view/play.service.ts';
import { ViewService } from '../src/recordings/view/view.service.ts';
import { RecordingWriter, type RecordedSession } from '../src/recordings/writer.ts';
import type { AuditWorld } from './audit.world.ts';

/** A terminal of a device. */
export function session(accountId: string, more: Partial<RecordedSession> = {}): RecordedSession {
  return {
    accountId,
    deviceId: uuidv7(),
    deviceName: 'pump-7',
    terminal: randomUUID(),
    kind: 'terminal',
    userId: uuidv7(),
    userEmail: 'ada@a.example',
    startedAt: new Date('2026-12-01T08:00:00.000Z'),
    policy: 'best_effort',
    size: { cols: 80, rows: 24 },
    ...more,
  };
}

export const output = (atMs: number, text: string | Uint8Array): RecordedEvent => ({
  atMs,
  kind: 'output',
  bytes: typeof text === 'string' ? Buffer.from(text) : text,
});

/** The events of one append, from an offset on. */
export const appended = (from: number, ...events: RecordedEvent[]) => ({
  from,
  to: events.reduce(offsetAfter, from),
  events,
});

/** Records a session of one chunk for each list of events, and closes it. @returns its id */
export async function record(
  world: AuditWorld,
  of: RecordedSession,
  chunks: readonly RecordedEvent[][],
  { close = true } = {},
): Promise<string> {
  const writer = world.app.get(RecordingWriter);
  const { id, next } = await writer.open(of);
  let from = next;
  for (const events of chunks) {
    const one = appended(from, ...events);
    await writer.append(id, one);
    from = one.to;
  }
  if (close) await writer.close(id, { exit: 0 });
  return id;
}

/** All events of a recording, as a person reads them. */
export async function played(world: AuditWorld, caller: Caller, id: string): Promise<RecordedEvent[]> {
  const views = world.app.get(ViewService);
  const player = world.app.get(PlayService);
  const { offsets = [] } = await views.chunks(caller, { id, from: 0, limit: 10_000 });
  const events: RecordedEvent[] = [];
  for (const sequence of offsets.keys()) {
    const { content, fromMs } = await player.chunk(caller, { id, sequence });
    events.push(...decodeEvents(zstdDecompressSync(content as Buffer), Number(fromMs)));
  }
  return events;
}

/** The bytes of all output. */
export const bytesOf = (events: readonly RecordedEvent[]): Buffer =>
  Buffer.concat(events.flatMap((event) => (event.kind === 'output' ? [event.bytes] : [])));

/** Each size that output was written for, with the offset from which on it was in force. */
export function sizesOf(events: readonly RecordedEvent[]): string[] {
  const sizes = new Map<number, string>();
  let offset = 0;
  for (const event of events) {
    if (event.kind === 'resize') sizes.set(offset, `${event.cols}x${event.rows}`);
    offset = offsetAfter(offset, event);
  }
  const changes = [...sizes].filter(([, size], index, all) => size !== all[index - 1]?.[1]);
  return changes.map(([at, size]) => `${size} from ${at}`);
}
