import { expect, it } from '@jest/globals';
import { FakeRecording, output } from '../../../testing/recordings.ts';
import { Timeline } from '../player/timeline.ts';
import { MarkCollector } from './marks.ts';
import { PromptMarks } from './prompt-marks.ts';
import { MarkScan, type FoundMarks } from './scan.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const RUN =
  '\x1b]133;A\x07$ \x1b]133;B\x07make\r\n\x1b]133;C;cmdline_url=make%20all\x1b\\\x1b[31mbuilt\x1b[0m\r\n\x1b]133;D;2\x07';

it('finds the commands of a shell that marks them, split anywhere', () => {
  const whole = new PromptMarks().read(bytes(RUN));
  expect(whole).toEqual([
    { kind: 'runs', text: 'make all' },
    { kind: 'done', exit: 2 },
  ]);
  for (let at = 0; at <= RUN.length; at++) {
    const marks = new PromptMarks();
    expect([...marks.read(bytes(RUN.slice(0, at))), ...marks.read(bytes(RUN.slice(at)))]).toEqual(whole);
  }
  const each = new PromptMarks();
  expect([...bytes(RUN)].flatMap((byte) => each.read(Uint8Array.of(byte)))).toEqual(whole);
});

it('takes the text that Visual Studio Code sends, and guesses none', () => {
  const marks = new PromptMarks();
  expect(marks.read(bytes('\x1b]633;E;echo a\\x3b b\\\\c\x07\x1b]633;C\x07\x1b]633;D\x07\x1b]133;C\x07'))).toEqual([
    { kind: 'runs', text: 'echo a; b\\c' },
    { kind: 'done', exit: null },
    { kind: 'runs', text: '' },
  ]);
  expect(marks.read(bytes('$ make\r\n\x1b]0;title\x07\x1b]133;C;cmdline_url=%E0\x07'))).toEqual([
    { kind: 'runs', text: '' },
  ]);
});

it('gives up on control strings without an end', () => {
  const marks = new PromptMarks();
  expect(marks.read(bytes(`\x1b]133;C${'x'.repeat(10_000)}\x1b]133;D;0\x07`))).toEqual([{ kind: 'done', exit: 0 }]);
});

it('collects commands with their exit, gaps, resizes and people', () => {
  const collector = new MarkCollector({ cols: 80, rows: 24 });
  collector.add([
    output(10, RUN),
    { atMs: 15, kind: 'resize', cols: 80, rows: 24 },
    { atMs: 20, kind: 'resize', cols: 90, rows: 30 },
    { atMs: 30, kind: 'resize', cols: 100, rows: 30 },
    { atMs: 40, kind: 'gap', bytes: 7, why: 'the recorder was away' },
    { atMs: 50, kind: 'joined', person: 'eve@example.org' },
    output(60, '\x1b]133;D;1\x07'),
  ]);
  expect(collector.marks).toEqual([
    { atMs: 10, kind: 'command', text: 'make all', exit: 2, isDone: true },
    { atMs: 30, kind: 'resize', cols: 100, rows: 30 },
    { atMs: 40, kind: 'gap', bytes: 7, why: 'the recorder was away' },
    { atMs: 50, kind: 'joined', person: 'eve@example.org' },
  ]);
});

it('reads a recording once for its marks, and what is added later', async () => {
  const recording = new FakeRecording([[output(0, RUN.slice(0, 60))], [output(10_000, RUN.slice(60))]]);
  const timeline = new Timeline();
  timeline.add(await recording.index(0));
  const found: FoundMarks[] = [];
  const scan = new MarkScan(recording, timeline, { cols: 80, rows: 24 }, (one) => found.push(one));
  const { signal } = new AbortController();
  await scan.run(signal);
  expect(found.at(-1)).toMatchObject({ isDone: true, untilMs: 10_000 });
  recording.chunks.push([{ atMs: 30_000, kind: 'gap', bytes: 1, why: '' }]);
  timeline.add(await recording.index(2));
  await scan.run(signal);
  expect(found.at(-1)?.marks.map(({ kind }) => kind)).toEqual(['command', 'gap']);
  expect(recording.read).toEqual([0, 1, 2]);
});
