import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runtimeDigest, shareRuntime } from '../src/update/runtime.ts';

const agent = join(import.meta.dirname, '..');
const run = promisify(execFile);
const build = (dist: string) =>
  run(process.execPath, [join(agent, 'packaging/build/package.ts'), '--throwaway-key'], {
    env: { ...process.env, WARREN_PACKAGES_DIST: dist },
  });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Package {
  arch: string;
  file: string;
  sha256: string;
  size: number;
}

interface Manifest {
  packages: Package[];
  updates: (Package & { runtime: string })[];
}

async function releaseKey(text: Buffer) {
  const raw = Buffer.from(text.toString(), 'base64');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
}

describe('the packages', () => {
  let folder: string;
  let manifest: Buffer;
  let own: Package;
  const read = (file: string, dist = 'first') => readFile(join(folder, dist, 'packages', file));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-packages-'));
    await build(join(folder, 'first'));
    manifest = await read('manifest.json');
    const found = (JSON.parse(manifest.toString()) as Manifest).packages.find(({ arch }) => arch === process.arch);
    if (!found) throw new Error(`no package for ${process.arch}`);
    own = found;
  });

  afterAll(() => rm(folder, { recursive: true }));

  it('are what the manifest says', async () => {
    const bytes = await read(own.file);
    expect([bytes.length, sha256(bytes)]).toEqual([own.size, own.sha256]);
  });

  it('come without the runtime too, less than 1 MB, for devices that have the same one', async () => {
    const update = (JSON.parse(manifest.toString()) as Manifest).updates.find(({ arch }) => arch === process.arch)!;
    const bytes = await read(update.file);
    expect([bytes.length, sha256(bytes)]).toEqual([update.size, update.sha256]);
    expect(update.size).toBeLessThan(1_000_000);
    const unpacked = async ({ file }: Package) => {
      const into = join(folder, file.replace('.tar.gz', ''));
      await mkdir(into);
      await run('tar', ['-xzf', join(folder, 'first/packages', file), '-C', into]);
      return into;
    };
    const [whole, small] = [await unpacked(own), await unpacked(update)];
    expect(await runtimeDigest(whole)).toBe(update.runtime);
    expect(await runtimeDigest(small)).toBeUndefined();
    await shareRuntime(whole, small);
    expect((await run('diff', ['-r', whole, small])).stdout).toBe('');
  });

  it('are signed by the release key, and a changed list is not', async () => {
    const key = await releaseKey(await read('release-key.pub'));
    const signature = Buffer.from((await read('manifest.json.sig')).toString(), 'base64');
    expect(verify(null, manifest, key, signature)).toBe(true);
    const changed = Buffer.from(manifest.toString().replace(own.sha256, 'f'.repeat(64)));
    expect(verify(null, changed, key, signature)).toBe(false);
  });

  it('come out the same, byte for byte, when they are made again', async () => {
    await build(join(folder, 'second'));
    expect(sha256(await read(own.file, 'second'))).toBe(own.sha256);
    expect(await read('manifest.json', 'second')).toEqual(manifest);
  });
});
