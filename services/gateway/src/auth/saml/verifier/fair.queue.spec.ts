import { expect, it } from '@jest/globals';
import { FairQueue } from './fair.queue.ts';

const drain = (queue: FairQueue<string>) => {
  const out = [];
  for (let item = queue.next(); item; item = queue.next()) out.push(item);
  return out;
};

it('serves clients round-robin', () => {
  const queue = new FairQueue<string>({ perClient: 10, all: 10 });
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.add(item[0] ?? '', item);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

it('refuses a client more than its share', () => {
  const queue = new FairQueue<string>({ perClient: 2, all: 10 });
  expect(['a1', 'a2', 'a3'].map((item) => queue.add('a', item))).toEqual([undefined, undefined, 'a3']);
});

it('when full, drops an item of the client with the most', () => {
  const queue = new FairQueue<string>({ perClient: 10, all: 4 });
  for (const item of ['a1', 'a2', 'a3', 'b1']) queue.add(item[0] ?? '', item);
  expect(queue.add('c', 'c1')).toBe('a3');
  expect(queue.size).toBe(4);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2']);
});

it('when full with one item per client, refuses the next', () => {
  const queue = new FairQueue<string>({ perClient: 10, all: 2 });
  for (const item of ['a1', 'b1']) queue.add(item[0] ?? '', item);
  expect(queue.add('c', 'c1')).toBe('c1');
  expect(drain(queue)).toEqual(['a1', 'b1']);
});
