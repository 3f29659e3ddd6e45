import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayConfig } from '../config.ts';
import { AgentPackages } from './agent.packages.ts';

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
  return { privateKey, raw };
}

type Key = ReturnType<typeof newKey>;

describe('releases while the release key changes', () => {
  const [former, next, stranger] = [newKey(), newKey(), newKey()];
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-releases-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function put(name: string, version: string, by: Key, knows?: Key[]): Promise<void> {
    const at = join(folder, name);
    await mkdir(at, { recursive: true });
    const packages = [{ os: 'linux', arch: 'x64', file: 'agent.tar.gz', sha256: '0'.repeat(64), size: 1 }];
    const manifest = JSON.stringify({ version, packages });
    await writeFile(join(at, 'manifest.json'), manifest);
    await writeFile(join(at, 'manifest.json.sig'), sign(null, Buffer.from(manifest), by.privateKey).toString('base64'));
    await writeFile(join(at, 'release-key.pub'), `${by.raw}\n`);
    if (knows) await writeFile(join(at, 'release-keys.pub'), knows.map(({ raw }) => `${raw}\n`).join(''));
  }

  const packages = (keys?: Key[]) =>
    new AgentPackages({
      AGENT_PACKAGES_DIR: join(folder, 'own'),
      AGENT_RELEASES_DIR: join(folder, 'others'),
      AGENT_RELEASE_KEY: keys?.map(({ raw }) => raw).join(','),
    } as GatewayConfig);
  const versions = async (keys?: Key[]) => (await packages(keys).releases()).map(({ version }) => version);

  it('are offered that any key signed which the newest lists, so that devices can take the one with both first', async () => {
    await put('own', '3.0.0', next, [next, former]);
    await put('others/overlap', '2.0.0', former, [former, next]);
    await put('others/strange', '2.5.0', stranger);
    expect(await versions()).toEqual(['3.0.0', '2.0.0']);
    expect((await packages().release()).releaseKey).toBe(next.raw);
    expect((await packages().find('2.0.0'))?.releaseKey).toBe(former.raw);
  });

  it('are those of its one key without a list, as in 0.1.0', async () => {
    await put('own', '3.0.0', next);
    await put('others/overlap', '2.0.0', former, [former, next]);
    expect(await versions()).toEqual(['3.0.0']);
  });

  it('are those of the keys that are given, whatever lies beside them', async () => {
    await put('own', '3.0.0', next, [next, stranger]);
    await put('others/overlap', '2.0.0', former);
    await put('others/strange', '2.5.0', stranger);
    expect(await versions([former, next])).toEqual(['3.0.0', '2.0.0']);
    await expect(packages([former]).release()).rejects.toThrow(
      'has a manifest.json that the release key has not signed',
    );
  });
});
