import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprint } from './fingerprint.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'warren-print-'));
  for (const made of ['dist', 'generated']) await mkdir(join(dir, 'src', made), { recursive: true });
  await writeFile(join(dir, 'src/a.ts'), 'one');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const print = () => fingerprint(dir, ['src', 'missing']);

it('stays while contents stay, whatever their dates', async () => {
  const before = await print();
  await utimes(join(dir, 'src/a.ts'), 1, 1);
  await writeFile(join(dir, 'src/dist/a.js'), 'made');
  await writeFile(join(dir, 'src/a.spec.ts'), 'test');
  await writeFile(join(dir, 'src/generated/client.ts'), 'made');
  expect(await print()).toBe(before);
});

it('changes with a content, a name, and a new file', async () => {
  const prints = [await print()];
  await writeFile(join(dir, 'src/a.ts'), 'two');
  prints.push(await print());
  await rename(join(dir, 'src/a.ts'), join(dir, 'src/b.ts'));
  prints.push(await print());
  await writeFile(join(dir, 'src/c.ts'), '');
  prints.push(await print());
  expect(new Set(prints).size).toBe(4);
});
