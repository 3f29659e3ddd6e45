import { beforeEach, describe, expect, it } from '@jest/globals';
import { TerminalRefusal } from '@warren/proto/agent/v1/agent';
import headless from '@xterm/headless';
import { setImmediate as turn } from 'node:timers/promises';
import { FakePty, smallLimits as limits } from '../../test/fake-pty.ts';
import type { AttachmentEvent } from './attachment.ts';
import { OutputBoundary } from './boundary.ts';
import { newState } from './kept.ts';
import { LARGEST_SNAPSHOT } from './snapshots.ts';
import { Terminal, type TerminalAttachment } from './terminal.ts';

const size = { cols: 60, rows: 12 };

/** A browser: draws what it gets, and acknowledges it if it is not asleep. */
class Browser {
  readonly screen = new headless.Terminal({ ...size, scrollback: 50, allowProposedApi: true });
  readonly bytes: Buffer[] = [];
  readonly attachment: TerminalAttachment;
  offset: number;
  snapshots = 0;

  constructor(attachment: TerminalAttachment) {
    this.attachment = attachment;
    this.offset = attachment.from;
  }

  async read(acks = true): Promise<void> {
    for (let event = this.attachment.take(); event; event = this.attachment.take()) await this.show(event);
    if (acks) this.attachment.terminal.acknowledge(this.attachment, this.offset);
  }

  /** What its screen shows, and where the cursor is. */
  get picture(): string {
    const { active } = this.screen.buffer;
    const rows = Array.from({ length: this.screen.rows }, (_, y) => active.getLine(active.baseY + y));
    const { applicationCursorKeysMode: keys, bracketedPasteMode: paste } = this.screen.modes;
    const shown = rows.map((line) => line?.translateToString(true)).join('\n');
    const colours = rows.map((line) => [...Array(size.cols).keys()].map((x) => line?.getCell(x)?.getFgColor()).join());
    return JSON.stringify({ shown, colours, at: [active.cursorX, active.cursorY], type: active.type, keys, paste });
  }

  private async show(event: AttachmentEvent): Promise<void> {
    if (event.kind === 'data') {
      expect(event.offset).toBe(this.offset);
      this.offset += event.data.length;
      this.bytes.push(Buffer.from(event.data));
      await new Promise<void>((drawn) => this.screen.write(event.data, drawn));
    }
    if (event.kind !== 'snapshot') return;
    this.snapshots++;
    this.offset = event.snapshot.offset;
    this.screen.reset();
    await new Promise<void>((drawn) => this.screen.write(event.snapshot.data, drawn));
  }
}

/** Pseudo-random numbers, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** Output as of programs: text, colours, cursor moves, the alternate screen, titles and wide characters. */
function outputOf(random: () => number, bytes: number): Buffer {
  let isAlternate = false;
  // Programs leave the alternate screen only after they have entered it.
  const alternate = () => {
    isAlternate = !isAlternate;
    return isAlternate ? '\x1b[?1049h\x1b[?1h\x1b[2J' : '\x1b[?1049l\x1b[?1l';
  };
  const pieces = [
    () => `line ${Math.floor(random() * 1e6)} of a log\r\n`,
    () => `\x1b[3${Math.floor(random() * 8)};1mcoloured\x1b[0m `,
    () => `\x1b[${1 + Math.floor(random() * 12)};${1 + Math.floor(random() * 60)}Hat`,
    () => `漢字🦊é${'-'.repeat(Math.floor(random() * 70))}`,
    () => `\x1b]0;title ${random()}\x07`,
    () => '\x1b[K\x1b[1A',
    () => (random() < 0.3 ? '\x1b[3;9r' : '\x1b[r'),
    () => '\x1b(0lqqk\x1b(B\n',
    () => (random() < 0.1 ? alternate() : `\x1b[?2004${random() < 0.5 ? 'h' : 'l'}`),
  ];
  let text = '';
  while (text.length < bytes) text += pieces[Math.floor(random() * pieces.length)]!();
  return Buffer.from(text);
}

describe('readers of a terminal', () => {
  let pty: FakePty;
  let terminal: Terminal;

  beforeEach(() => {
    pty = new FakePty();
    terminal = new Terminal(newState('s', 'u', 'u@example.com', size), pty, limits, {
      detached: () => {},
      deserted: () => {},
      finished: () => {},
      recorded: () => {},
    });
  });

  it.each([1, 2, 3, 4, 5, 6])('end with the screen of the writer, whether they skip or not (%i)', async (seed) => {
    const random = numbers(seed);
    const writer = new Browser(terminal.attach(0, { role: 'writer', size }));
    const fast = new Browser(terminal.attach(0, { role: 'reader' }));
    const slow = new Browser(terminal.attach(0, { role: 'reader' }));
    const output = outputOf(random, 120_000);
    for (let at = 0; at < output.length;) {
      const piece = output.subarray(at, at + 1 + Math.floor(random() * 3_000));
      at += piece.length;
      pty.onData(piece);
      await writer.read();
      await fast.read();
      if (random() < 0.05) await slow.read(random() < 0.5);
      expect(pty.paused).toBe(false);
    }
    while (slow.offset < output.length) {
      await slow.read();
      await turn();
    }
    expect(Buffer.concat(writer.bytes).equals(output)).toBe(true);
    expect(Buffer.concat(fast.bytes).equals(output)).toBe(true);
    expect([writer.snapshots, fast.snapshots]).toEqual([0, 0]);
    expect(slow.snapshots).toBeGreaterThan(0);
    expect(fast.picture).toBe(writer.picture);
    expect(slow.picture).toBe(writer.picture);
  });

  it('share the pace of the writer that draws fastest', async () => {
    const first = new Browser(terminal.attach(0, { role: 'writer', size }));
    const second = new Browser(terminal.attach(0, { role: 'writer', size }));
    const line = Buffer.from(`${'x'.repeat(98)}\r\n`);
    for (let count = 0; count < 600; count++) {
      pty.onData(line);
      await second.read();
    }
    expect(pty.paused).toBe(false);
    second.attachment.end();
    // The slow writer is the only one now: the program waits for it.
    pty.onData(line);
    expect(pty.paused).toBe(true);
    while (first.offset < 60_100) {
      await first.read();
      await turn();
    }
    await first.read();
    expect(pty.paused).toBe(false);
  });

  it.each([
    ['leave out rows above a large screen', 200, { kind: 'snapshot' }],
    ['end where the screen alone is too large', 400, { kind: 'ended', code: TerminalRefusal.SCREEN }],
  ])('%s', async (_what, cols, expected) => {
    const writer = new Browser(terminal.attach(0, { role: 'writer', size: { cols, rows: 40 } }));
    const cells = [...Array(cols).keys()].map((x) => `\x1b[38;2;${100 + (x % 100)};200;150mx`);
    const line = Buffer.from(`${cells.join('')}\r\n`);
    for (let row = 0; row < 90; row++) {
      pty.onData(line);
      await writer.read();
    }
    const reader = terminal.attach(0, { role: 'reader' });
    reader.wake();
    let event = reader.take();
    for (; !event || event.kind === 'data'; event = reader.take()) await turn();
    expect(event).toMatchObject(expected);
    if (event.kind === 'snapshot') expect(event.snapshot.data.length).toBeLessThanOrEqual(LARGEST_SNAPSHOT);
  });

  it('are limited, and take no place of a writer', () => {
    const attach = (role: 'reader' | 'writer', writer = '') => terminal.attach(0, { role, size, writer });
    const first = attach('writer', 'a');
    attach('writer', 'b');
    expect(() => attach('writer', 'c')).toThrow('this terminal has 2 writers, which is the most it allows');
    attach('reader');
    attach('reader');
    expect(() => attach('reader')).toThrow('this terminal has 2 readers, which is the most it allows');
    // A screen that reconnects replaces itself.
    attach('writer', 'a');
    expect(first.ended).toBe(true);
    expect(terminal.counts).toEqual({ writers: 2, readers: 2 });
  });

  it('fit the program into the smallest window, or the one that was chosen', () => {
    const first = terminal.attach(0, { role: 'writer', size });
    const second = terminal.attach(0, { role: 'writer', size: { cols: 100, rows: 10 } });
    terminal.sizeBy(second, true);
    terminal.sizeBy(second, false);
    first.end();
    expect(pty.sizes).toEqual(['60x10', '100x10', '60x10', '100x10']);
  });
});

describe('OutputBoundary', () => {
  it.each([
    ['text', 'abc', 3],
    ['half a character', Buffer.from('aé').subarray(0, 2), 1],
    ['an open sequence', 'ab\x1b[3', 2],
    ['a whole sequence', 'ab\x1b[31m', 7],
    ['an open title', 'a\x1b]0;title', 1],
    ['a title that ends with ST', 'a\x1b]0;title\x1b\\b', 13],
    ['a charset', '\x1b(B', 3],
    ['a cancelled sequence', '\x1b[3\x18', 4],
  ])('cuts before or after %s', (_what, text, cut) => {
    expect(new OutputBoundary().read(Buffer.from(text as string))).toBe(cut);
  });
});
