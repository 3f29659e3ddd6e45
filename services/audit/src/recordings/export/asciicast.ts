import type { RecordedEvent } from '@warren/rules/recordings/frames';
import { MaskedOutput, type Piece } from './masked.output.ts';
import type { Redactions } from '../redact/redactions.ts';

/** What the first line of the file says. */
export interface CastHeader {
  cols: number;
  rows: number;
  started: Date;
  title: string;
}

/** Output within one frame of a display is one line: a line for each byte would be many times larger. */
const FRAME_MS = 16;
const MOST_TEXT = 65_536;
const RESET = '\u001bc';

/** Writes a recording as asciicast v2 (docs.asciinema.org/manual/asciicast/v2), line by line. */
export class CastWriter {
  private readonly decoder = new TextDecoder();
  private readonly masked: MaskedOutput;
  private open: Piece | undefined;

  constructor(redactions: Redactions) {
    this.masked = new MaskedOutput(redactions);
  }

  header({ cols, rows, started, title }: CastHeader): string {
    const timestamp = Math.floor(started.getTime() / 1_000);
    return `${JSON.stringify({ version: 2, width: cols, height: rows, timestamp, title, env: { TERM: 'xterm-256color' } })}\n`;
  }

  /** @returns lines that are ready */
  *write(event: RecordedEvent): Generator<string> {
    const { atMs } = event;
    switch (event.kind) {
      case 'output':
        return yield* this.text({ atMs, text: this.decoder.decode(event.bytes, { stream: true }) });
      case 'resize':
        yield* this.flush();
        return yield line(atMs, 'r', `${event.cols}x${event.rows}`);
      case 'gap':
        yield* this.flush();
        return yield line(atMs, 'm', `${event.bytes} bytes are missing: ${event.why}`);
      case 'snapshot':
        yield* this.flush();
        yield line(atMs, 'r', `${event.size.cols}x${event.size.rows}`);
        return yield* this.text({ atMs, text: `${RESET}${event.data}` });
      case 'joined':
      case 'left':
        yield* this.flush();
        return yield line(atMs, 'm', `${event.person} ${event.kind}`);
    }
  }

  /** @returns the last lines */
  *flush(): Generator<string> {
    for (const piece of this.masked.flush()) yield* this.add(piece);
    if (this.open) yield line(this.open.atMs, 'o', this.open.text);
    this.open = undefined;
  }

  private *text(piece: Piece): Generator<string> {
    if (piece.text === '') return;
    for (const ready of this.masked.push(piece)) yield* this.add(ready);
  }

  private *add({ atMs, text }: Piece): Generator<string> {
    const { open } = this;
    if (open && atMs - open.atMs < FRAME_MS && open.text.length < MOST_TEXT) {
      open.text += text;
      return;
    }
    if (open) yield line(open.atMs, 'o', open.text);
    this.open = { atMs, text };
  }
}

const line = (atMs: number, code: 'o' | 'r' | 'm', data: string): string =>
  `[${(atMs / 1_000).toFixed(3)}, ${JSON.stringify(code)}, ${JSON.stringify(data)}]\n`;
