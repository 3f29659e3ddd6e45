import { describe, expect, it } from '@jest/globals';
import { InputQueue } from './input.ts';

const data = (text: string) => ({ case: 'data', value: Buffer.from(text) }) as const;
const open = { case: 'open', value: { session: '' } } as const;

async function all(queue: InputQueue): Promise<unknown[]> {
  queue.end();
  const kinds: unknown[] = [];
  for await (const { kind } of queue)
    kinds.push([kind?.case, kind?.case === 'data' ? String(kind.value) : kind?.value]);
  return kinds;
}

describe('input on its way to an agent', () => {
  it('keeps its order; keystrokes that wait are merged', async () => {
    const queue = new InputQueue(() => {});
    queue.push(data('a'));
    queue.push(data('b'));
    queue.push({ case: 'resize', value: { cols: 1, rows: 1 } });
    queue.push(data('c'));
    expect(await all(queue)).toEqual([
      ['data', 'ab'],
      ['resize', { cols: 1, rows: 1 }],
      ['data', 'c'],
    ]);
  });

  it('keeps of sizes and credits that wait the last; credit overtakes keystrokes, but not the opening', async () => {
    const queue = new InputQueue(() => {});
    queue.push(open);
    queue.push(data('x'));
    queue.push({ case: 'ack', value: 1n });
    queue.push({ case: 'resize', value: { cols: 1, rows: 1 } });
    queue.push({ case: 'resize', value: { cols: 2, rows: 2 } });
    queue.push({ case: 'ack', value: 2n });
    expect(await all(queue)).toEqual([
      ['open', { session: '' }],
      ['ack', 2n],
      ['data', 'x'],
      ['resize', { cols: 2, rows: 2 }],
    ]);
  });

  it('wakes a reader that waits, and ends it', async () => {
    const queue = new InputQueue(() => {});
    const reader = queue[Symbol.asyncIterator]();
    const first = reader.next();
    queue.push(data('k'));
    expect(String(((await first).value as { kind: { value: Uint8Array } }).kind.value)).toBe('k');
    const second = reader.next();
    queue.end();
    expect((await second).done).toBe(true);
  });

  it('makes the browser wait above 256 KiB and lets it go on below 64 KiB', async () => {
    const pressure: boolean[] = [];
    const queue = new InputQueue((pressed) => pressure.push(pressed));
    for (let index = 0; index < 17; index++) queue.push({ case: 'data', value: Buffer.alloc(16 * 1024) });
    expect(pressure).toEqual([true]);
    const reader = queue[Symbol.asyncIterator]();
    let read = 0;
    while (pressure.length === 1) {
      read += ((await reader.next()).value as { kind: { value: Uint8Array } }).kind.value.length;
    }
    expect(pressure).toEqual([true, false]);
    expect(17 * 16 * 1024 - read).toBeLessThan(64 * 1024);
  });

  it('takes nothing more after the end', async () => {
    const queue = new InputQueue(() => {});
    queue.end();
    queue.push(data('late'));
    expect(await all(queue)).toEqual([]);
  });
});
