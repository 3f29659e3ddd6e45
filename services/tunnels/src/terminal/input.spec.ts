import { describe, expect, it } from '@jest/globals';
import { InputQueue } from './input.ts';

const data = (text: string) => ({ case: 'data', value: Buffer.from(text) }) as const;
const open = { case: 'open', value: { session: '' } } as const;

function all(queue: InputQueue): unknown[] {
  const kinds: unknown[] = [];
  for (let kind = queue.next(); kind; kind = queue.next())
    kinds.push([kind.case, kind.case === 'data' ? String(kind.value) : kind.value]);
  return kinds;
}

const quiet = () => {};

describe('input on its way to an agent', () => {
  it('keeps its order; keystrokes that wait are merged', () => {
    const queue = new InputQueue(quiet, quiet);
    queue.push(data('a'));
    queue.push(data('b'));
    queue.push({ case: 'resize', value: { cols: 1, rows: 1 } });
    queue.push(data('c'));
    expect(all(queue)).toEqual([
      ['data', 'ab'],
      ['resize', { cols: 1, rows: 1 }],
      ['data', 'c'],
    ]);
  });

  it('keeps of sizes and credits that wait the last; credit overtakes keystrokes, but not the opening', () => {
    const queue = new InputQueue(quiet, quiet);
    queue.push(open);
    queue.push(data('x'));
    queue.push({ case: 'ack', value: 1n });
    queue.push({ case: 'resize', value: { cols: 1, rows: 1 } });
    queue.push({ case: 'resize', value: { cols: 2, rows: 2 } });
    queue.push({ case: 'ack', value: 2n });
    expect(all(queue)).toEqual([
      ['open', { session: '' }],
      ['ack', 2n],
      ['data', 'x'],
      ['resize', { cols: 2, rows: 2 }],
    ]);
  });

  it('reports each time that more is queued', () => {
    let more = 0;
    const queue = new InputQueue(quiet, () => more++);
    queue.push(data('k'));
    expect(more).toBe(1);
    expect(all(queue)).toEqual([['data', 'k']]);
    queue.push({ case: 'ack', value: 1n });
    expect(more).toBe(2);
  });

  it('makes the browser wait above 256 KiB and lets it continue below 64 KiB', () => {
    const pressure: boolean[] = [];
    const queue = new InputQueue((pressed) => pressure.push(pressed), quiet);
    for (let index = 0; index < 17; index++) queue.push({ case: 'data', value: Buffer.alloc(16 * 1024) });
    expect(pressure).toEqual([true]);
    let read = 0;
    while (pressure.length === 1) read += (queue.next() as { value: Uint8Array }).value.length;
    expect(pressure).toEqual([true, false]);
    expect(17 * 16 * 1024 - read).toBeLessThan(64 * 1024);
  });

  it('takes nothing more after the end', () => {
    const queue = new InputQueue(quiet, quiet);
    queue.end();
    queue.push(data('late'));
    expect(all(queue)).toEqual([]);
  });
});
