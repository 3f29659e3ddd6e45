import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

jest.setTimeout(120_000);

const agent = join(import.meta.dirname, '..');
const run = promisify(execFile);
const build = (dist: string) =>
  run(process.execPath, [join(agent, 'packaging/build/package.ts')], {
    env: { ...process.env, WARREN_PACKAGES_DIST: dist },
  });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Manifest {
  packages: { arch: string; file: string; sha256: string; size: number }[];
}

async function releaseKey(text: Buffer) {
  const raw = Buffer.from(text.toString(), 'base64');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
}

describe('the packages', () => {
  let folder: string;
  let manifest: Buffer;
  let own: Manifest['packages'][number];
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
