import { describe, expect, it } from '@jest/globals';
import { DiskReader } from './disks.ts';

describe('DiskReader', () => {
  it('reads the sizes of disks, and leaves out those without one', async () => {
    const reader = new DiskReader(async (mount) => {
      if (mount === '/pulled') throw new Error('ENODEV');
      return { total: mount === '/empty' ? 0 : 100, used: 40 };
    });
    expect(await reader.read(['/', '/pulled', '/empty'])).toEqual([{ mount: '/', used: 40n, total: 100n }]);
  });

  it('does not read a disk again that has not answered', async () => {
    const asked: string[] = [];
    let answer = (_size: { total: number; used: number }) => {};
    const reader = new DiskReader((mount) => {
      asked.push(mount);
      if (mount === '/') return Promise.resolve({ total: 100, used: 40 });
      return new Promise((resolve) => (answer = resolve));
    }, 1);
    for (let round = 0; round < 3; round++) expect(await reader.read(['/', '/hung'])).toHaveLength(1);
    expect(asked.filter((mount) => mount === '/hung')).toHaveLength(1);
    answer({ total: 50, used: 5 });
    await new Promise((resolve) => setImmediate(resolve));
    await reader.read(['/', '/hung']);
    expect(asked.filter((mount) => mount === '/hung')).toHaveLength(2);
  });
});
