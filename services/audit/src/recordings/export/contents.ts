import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { decodeEvents } from '@warren/rules/recordings/frames';
import { v7 as uuidv7 } from 'uuid';
import type { Line } from '../search/screen.ts';
import { ScreenHost } from '../search/screen.host.ts';
import { ChunkReader } from '../view/chunk.reader.ts';
import type { ShownRow, StoredChunk } from '../view/view.sql.ts';
import { CastWriter } from './asciicast.ts';
import type { Redactions } from '../redact/redactions.ts';

const PAGE = 100;
/** Characters of an export: its recording may have grown by escapes. */
const MOST = 16 * 1_073_741_824;

/** Makes files of recordings, piece by piece: the next chunk is read when the piece before is taken. */
@Injectable()
export class ExportContents {
  constructor(
    private readonly reader: ChunkReader,
    private readonly host: ScreenHost,
  ) {}

  async *asciicast(row: ShownRow, redactions: Redactions): AsyncGenerator<string> {
    const writer = new CastWriter(redactions);
    const { cols, rows, started } = row;
    yield writer.header({ cols, rows, started, title: `${row.deviceName} (${row.userEmail})` });
    for await (const chunk of this.chunks(row)) {
      const events = decodeEvents(await this.events(row, chunk), chunk.fromMs);
      for (const event of events) yield* writer.write(event);
    }
    yield* writer.flush();
  }

  /** The text as it appeared on the screen, a line for each that appeared. */
  async *text(row: ShownRow, redactions: Redactions): AsyncGenerator<string> {
    const screen = `export-${uuidv7()}`;
    const wanted = { lines: true, snapshots: false };
    try {
      await this.host.ask({ kind: 'open', screen, size: row, wanted });
      for await (const chunk of this.chunks(row)) {
        const events = await this.events(row, chunk);
        const place = { fromMs: chunk.fromMs, offset: chunk.from, skipTo: 0, quiet: false };
        const { lines } = await this.host.ask({ kind: 'draw', screen, events, ...place });
        yield* maskedLines(lines, redactions);
      }
      const { lines } = await this.host.ask({ kind: 'end', screen });
      yield* maskedLines(lines, redactions);
    } finally {
      await this.host.ask({ kind: 'drop', screen }).catch(() => {});
    }
  }

  private events(row: ShownRow, chunk: StoredChunk): Promise<Buffer> {
    return this.reader.events({ accountId: row.accountId, recordingId: row.id }, chunk);
  }

  /** The chunks that were there at the start: the recording of a live session grows on. */
  private async *chunks(row: ShownRow): AsyncGenerator<StoredChunk> {
    const place = { accountId: row.accountId, recordingId: row.id };
    for (let from = 0; from < row.chunks; from += PAGE) {
      const page = await this.reader.rows(place, from, Math.min(PAGE, row.chunks - from));
      if (page.length === 0) throw new Fault('not_found', `recording ${row.id}.`);
      yield* page;
    }
  }
}

function maskedLines(lines: readonly Line[], redactions: Redactions): string[] {
  const until = redactions.deadline();
  return lines.map(({ text }) => `${redactions.mask(text, until)}\n`);
}

/** Ends an export that is larger than any recording should make it. */
export async function* bounded(pieces: AsyncIterable<string>, most = MOST): AsyncGenerator<string> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > most) throw new Fault('resource_exhausted', 'the export is too large.');
    yield piece;
  }
}
