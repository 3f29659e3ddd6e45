import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { run } from '@warren/agent/packaging/run';
import { digestOfFile } from '../files.ts';
import { writeLayer } from './layer.ts';
import { writeImage, writeIndexes, writeLayout, type MadeImage } from './layout.ts';
import { resolveIn } from './rooted.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-layout-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a layer', () => {
  it('has the same bytes whenever and wherever it is made, and its owner', async () => {
    const made = [];
    for (const name of ['a', 'b-elsewhere']) {
      const from = join(folder, name);
      await mkdir(join(from, 'sub'), { recursive: true });
      for (const file of name === 'a' ? ['x', 'y'] : ['y', 'x']) await writeFile(join(from, 'sub', file), file);
      await chmod(join(from, 'sub/x'), 0o644);
      await symlink('./x', join(from, 'sub/link'));
      await utimes(join(from, 'sub/x'), made.length, made.length);
      made.push(await writeLayer({ folder: from, to: '/app', owner: '10001:10001', epoch: 1_700_000_000 }, folder));
    }
    const [first, second] = made;
    expect(second).toEqual(first);
    const blob = join(folder, first?.digest.replace('sha256:', '') ?? '');
    expect(await digestOfFile(blob)).toBe(first?.digest.replace('sha256:', ''));
    const listed = await run('tar', ['-tvzf', blob, '--numeric-owner', '--utc']);
    expect(listed).toContain('10001/10001');
    expect(listed).toContain('app/sub/link -> ./x');
    expect(listed).not.toContain('1970');
  });

  it('may hold one empty folder, each time', async () => {
    await mkdir(join(folder, 'empty'));
    for (let turn = 0; turn < 5; turn++) {
      const tree = { folder: join(folder, 'empty'), to: '/packages', owner: '10001:10001', epoch: 1 };
      const { digest } = await writeLayer(tree, folder);
      const blob = await readFile(join(folder, digest.replace('sha256:', '')));
      expect(gunzipSync(blob).subarray(0, 10).toString('latin1')).toBe('packages/\0');
    }
  });
});

describe('a layout', () => {
  it('names images of each processor, for OCI and for Docker, and joins them by indexes', async () => {
    const blobs = join(folder, 'blobs/sha256');
    await mkdir(join(folder, 'tree'));
    await writeFile(join(folder, 'tree/file'), 'text');
    const layer = await writeLayer({ folder: join(folder, 'tree'), to: '/', owner: '0:0', epoch: 1 }, blobs);
    const images: MadeImage[] = [];
    for (const processor of ['amd64', 'arm64'] as const) {
      const config = { Env: [], Labels: {}, User: '1' };
      images.push(
        await writeImage({ name: 'warren/gateway:1.2.3', processor, config, layers: [layer], epoch: 1 }, blobs),
      );
    }
    const members = await writeLayout(join(folder, 'amd64'), images.slice(0, 1));
    const indexes = await writeIndexes(join(folder, 'index'), images, blobs);
    const json = async (path: string) => JSON.parse(await readFile(join(folder, path), 'utf8')) as unknown;
    expect(await json('amd64/manifest.json')).toMatchObject([{ RepoTags: ['warren/gateway:1.2.3'] }]);
    expect(await json('amd64/index.json')).toMatchObject({
      manifests: [
        {
          digest: images[0]?.manifest.digest,
          annotations: { 'org.opencontainers.image.ref.name': 'warren/gateway:1.2.3' },
        },
      ],
    });
    const [index = ''] = indexes;
    expect(await json(`blobs/sha256/${index}`)).toMatchObject({
      manifests: [{ platform: { architecture: 'amd64' } }, { platform: { architecture: 'arm64' } }],
    });
    const there = (await readdir(blobs)).filter((name) => !name.startsWith('.'));
    expect(members.size).toBe(3);
    for (const name of [...members, ...indexes]) expect(there).toContain(name);
  });
});

describe('a link below a root', () => {
  it('never leads to files of this machine', async () => {
    await mkdir(join(folder, 'usr/lib'), { recursive: true });
    await writeFile(join(folder, 'usr/lib/libc.so'), '');
    await symlink('usr/lib', join(folder, 'lib'));
    await symlink('/lib/libc.so', join(folder, 'usr/lib/absolute'));
    await symlink('../../../../../usr/lib/libc.so', join(folder, 'usr/lib/above'));
    await symlink('circle', join(folder, 'circle'));
    expect(await resolveIn(folder, '/lib/absolute')).toBe(join(folder, 'usr/lib/libc.so'));
    expect(await resolveIn(folder, '/lib/above')).toBe(join(folder, 'usr/lib/libc.so'));
    expect(await resolveIn(folder, '/etc/passwd')).toBeUndefined();
    await expect(resolveIn(folder, '/circle')).rejects.toThrow('more than 40 links');
  });
});
