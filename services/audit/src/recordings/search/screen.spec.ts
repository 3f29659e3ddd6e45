import { describe, expect, it } from '@jest/globals';
import { Screen } from './screen.ts';

const LINES = 3_000;
const text = Buffer.from(Array.from({ length: LINES }, (_, at) => `line ${at}\r\n`).join(''));

describe('a screen of the search', () => {
  it.each([
    { cols: 80, rows: 24 },
    { cols: 1_000, rows: 1_000 },
    { cols: 1_000_000, rows: 1 },
  ])('finds each line in a terminal of $cols × $rows', async (size) => {
    const screen = new Screen(size, { lines: true, snapshots: false });
    await screen.apply({ kind: 'output', atMs: 1, bytes: text });
    await screen.look(true);
    const found = new Set(screen.lines.map((line) => line.text));
    const printed = Array.from({ length: LINES }, (_, at) => `line ${at}`);
    expect(printed.filter((line) => !found.has(line))).toEqual([]);
    screen.dispose();
  });

  it('takes little memory, whatever size a device says and however it changes', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const screens = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const screen = new Screen({ cols: 80, rows: 24 }, { lines: true, snapshots: false });
        for (const at of [1, 2]) {
          await screen.apply({ kind: 'resize', atMs: at, cols: 1_000, rows: 1_000 });
          await screen.apply({ kind: 'output', atMs: at, bytes: Buffer.from('\x1b[?1049h\x1b[?1049l') });
          await screen.apply({ kind: 'output', atMs: at, bytes: text });
        }
        await screen.look(true);
        return screen;
      }),
    );
    expect((process.memoryUsage().arrayBuffers - before) / screens.length).toBeLessThan(32 * 1_048_576);
    for (const screen of screens) screen.dispose();
  });
});
