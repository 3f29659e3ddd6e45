import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closureOf } from './closure.ts';

describe('what a workspace needs at run time', () => {
  let root = '';
  const add = async (folder: string, name: string, more: object = {}) => {
    await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...more }));
  };

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'warren-closure-')));
    await add('services/a', '@w/a', { dependencies: { '@w/shared': '*', near: '1' }, devDependencies: { tool: '1' } });
    await add('services/shared', '@w/shared', { dependencies: { far: '1' } });
    await mkdir(join(root, 'node_modules/@w'), { recursive: true });
    await symlink('../../services/shared', join(root, 'node_modules/@w/shared'));
    await add('services/a/node_modules/near', 'near', { optionalDependencies: { absent: '1' } });
    await add('node_modules/near', 'near');
    await add('node_modules/far', 'far', {
      peerDependencies: { peer: '1', maybe: '1' },
      peerDependenciesMeta: { maybe: { optional: true } },
    });
    for (const name of ['peer', 'maybe', 'tool']) await add(`node_modules/${name}`, name);
    await add('services/broken', '@w/broken', { dependencies: { gone: '1' } });
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('is found as Node finds it, links to workspaces too, without tools and optional peers', async () => {
    const found = await closureOf(root, 'services/a');
    expect(found.map(({ folder }) => folder).sort()).toEqual([
      'node_modules/far',
      'node_modules/peer',
      'services/a',
      'services/a/node_modules/near',
      'services/shared',
    ]);
    expect(found.find(({ name }) => name === '@w/shared')?.link).toBe('node_modules/@w/shared');
  });

  it('is an error when something is not installed', async () => {
    await expect(closureOf(root, 'services/broken')).rejects.toThrow('@w/broken needs gone, which is not installed');
  });
});
