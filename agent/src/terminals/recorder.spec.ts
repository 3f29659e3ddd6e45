import { beforeEach, describe, expect, it } from '@jest/globals';
import { Recording } from '@warren/proto/agent/v1/agent';
import { setTimeout as wait } from 'node:timers/promises';
import { TerminalRefused } from '../errors.ts';
import { FakePty, smallLimits } from '../../test/fake-pty.ts';
import type { PtySize } from '../system/pty.ts';
import type { AttachmentEvent } from './attachment.ts';
import { newState } from './kept.ts';
import { REPLAY_SLACK, type TerminalLimits } from './limits.ts';
import { Terminal, type TerminalAttachment } from './terminal.ts';

/** Bytes that are kept for a recorder. */
const KEPT = 64 * 1024;
const limits: TerminalLimits = { ...smallLimits, replay: REPLAY_SLACK + KEPT, readerWindow: 8 * 1024 };
const size = { cols: 60, rows: 12 };

/** A recorder: replays what it gets as lines of a log, and says what it has stored. */
class Recorder {
  readonly log: string[] = [];
  readonly bytes: Buffer[] = [];
  readonly attachment: TerminalAttachment;
  offset: number;

  constructor(
    readonly terminal: Terminal,
    from: number,
  ) {
    this.attachment = terminal.attach(from, { role: 'recorder' });
    this.offset = from;
    this.attachment.wake();
  }

  get text(): string {
    return Buffer.concat(this.bytes).toString();
  }

  read(): void {
    for (let event = this.attachment.take(); event; event = this.attachment.take()) {
      this.record(event);
      this.terminal.acknowledge(this.attachment, this.offset);
    }
  }

  store(): void {
    this.terminal.store(this.attachment, this.offset);
  }

  private record(event: AttachmentEvent): void {
    if (event.kind === 'data') {
      if (event.offset !== this.offset) this.log.push(`gap ${event.offset - this.offset}`);
      this.bytes.push(Buffer.from(event.data));
      this.offset = event.offset + event.data.length;
    }
    if (event.kind === 'size') this.log.push(`${event.size.cols}x${event.size.rows} at ${this.offset}`);
    if (event.kind === 'exit') this.log.push(`exit ${event.exit.code}`);
    if (event.kind !== 'snapshot') return;
    this.log.push(`snapshot`);
    this.offset = event.snapshot.offset;
  }
}

describe('the recorder of a terminal', () => {
  let pty: FakePty;
  let terminal: Terminal;
  let writer: TerminalAttachment;
  let events: string[];

  beforeEach(() => {
    events = [];
    pty = new FakePty();
    const event = (name: string) => () => void events.push(name);
    terminal = new Terminal(newState('t', 'u', 'u@example.com', size), pty, limits, {
      detached: event('detached'),
      deserted: event('deserted'),
      finished: event('finished'),
      recorded: event('recorded'),
    });
  });

  const open = (record: Recording) => (writer = terminal.attach(0, { role: 'writer', size, record }));
  /** Prints, and lets the writer draw it as far as the program is not paused. */
  function print(count: number): number {
    let printed = 0;
    while (printed < count && !pty.paused) {
      const piece = Math.min(1_000, count - printed);
      pty.onData(Buffer.alloc(piece, 'x'));
      printed += piece;
      draw();
    }
    return printed;
  }
  function draw(): void {
    for (let event = writer.take(); event; event = writer.take())
      if (event.kind === 'data') terminal.acknowledge(writer, event.offset + event.data.length);
  }

  it('is refused where nothing is recorded', () => {
    open(Recording.UNSPECIFIED);
    expect(() => terminal.attach(0, { role: 'recorder' })).toThrow(TerminalRefused);
  });

  it('gets every byte, far behind the writer', () => {
    open(Recording.BEST_EFFORT);
    expect(print(KEPT)).toBe(KEPT);
    const recorder = new Recorder(terminal, 0);
    recorder.read();
    expect(recorder.text).toHaveLength(KEPT);
    expect(recorder.log).toEqual([]);
  });

  it('makes the program wait where recording is required', () => {
    open(Recording.REQUIRED);
    expect(print(10 * KEPT)).toBeLessThan(KEPT + 2_000);
    const recorder = new Recorder(terminal, 0);
    recorder.read();
    expect(pty.paused).toBe(true);
    recorder.store();
    expect(pty.paused).toBe(false);
    expect(recorder.text).toHaveLength(terminal.ring.end);
  });

  it('does not count as stored what was never sent', () => {
    open(Recording.REQUIRED);
    print(10 * KEPT);
    const { attachment } = new Recorder(terminal, 0);
    terminal.store(attachment, Number.MAX_SAFE_INTEGER);
    expect(terminal.recorded.stored).toBe(0);
    expect(pty.paused).toBe(true);
  });

  it('misses what has left the buffer, and gets a snapshot of it', async () => {
    open(Recording.BEST_EFFORT);
    const printed = limits.replay * 2;
    expect(print(printed)).toBe(printed);
    const recorder = new Recorder(terminal, 0);
    while (recorder.log.length === 0) {
      await wait(5);
      recorder.read();
    }
    expect(recorder.log).toEqual(['snapshot']);
    expect(recorder.offset).toBe(printed);
    expect(pty.paused).toBe(false);
  });

  it('gets each size in its place, and the last ones of a flood', () => {
    open(Recording.BEST_EFFORT);
    const resize = (to: PtySize) => terminal.resize(writer, to);
    print(10);
    resize({ cols: 70, rows: 10 });
    resize({ cols: 71, rows: 11 });
    print(10);
    resize({ cols: 72, rows: 12 });
    const recorder = new Recorder(terminal, 0);
    recorder.read();
    expect(recorder.log).toEqual(['71x11 at 10', '72x12 at 20']);
    for (let at = 0; at < 10; at++) {
      print(1);
      resize({ cols: 80 + at, rows: 10 });
    }
    recorder.read();
    expect(recorder.log.slice(2)).toEqual(['86x10 at 27', '87x10 at 28', '88x10 at 29', '89x10 at 30']);
  });

  it('continues at its offset, and replaces the one before', () => {
    open(Recording.REQUIRED);
    print(100);
    const first = new Recorder(terminal, 0);
    first.read();
    const second = new Recorder(terminal, 40);
    expect(first.attachment.ended).toBe(true);
    first.store();
    expect(terminal.recorded.stored).toBe(0);
    second.read();
    expect(second.text).toHaveLength(60);
  });

  it('keeps an ended terminal until the exit is stored', () => {
    open(Recording.REQUIRED);
    print(100);
    pty.onExit({ code: 3, signal: 0 });
    draw();
    expect(events).toEqual(['detached']);
    const recorder = new Recorder(terminal, 0);
    recorder.read();
    expect(recorder.log).toEqual(['exit 3']);
    expect(events).toEqual(['detached']);
    recorder.store();
    expect(recorder.attachment.over).toBe(true);
    expect(events).toEqual(['detached', 'recorded', 'finished']);
  });

  it('is never recorded less than before', () => {
    open(Recording.REQUIRED);
    terminal.attach(0, { role: 'writer', writer: 'b', size, record: Recording.UNSPECIFIED });
    expect(terminal.recorded.mode).toBe(Recording.REQUIRED);
  });

  it('keeps no terminal alive, and is neither writer nor reader', () => {
    open(Recording.REQUIRED);
    const { attachment } = new Recorder(terminal, 0);
    expect(terminal.counts).toEqual({ writers: 1, readers: 0 });
    writer.end();
    expect(events).toEqual(['detached']);
    attachment.end();
    expect(events).toEqual(['detached']);
  });
});
