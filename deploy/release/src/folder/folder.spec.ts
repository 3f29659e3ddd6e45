import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rawPublicKey } from '@warren/agent/packaging/sign';
import { run } from '@warren/agent/packaging/run';
import { minisignature, minisignKey } from './minisign.ts';
import { provenanceOf } from './provenance.ts';
import { signFolder } from './sign.ts';
import { differences, digestsIn, sumsOf } from './sums.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const key = {
  publicKey: rawPublicKey(privateKey),
  trusted: [],
  throwaway: true,
  sign: (bytes: Uint8Array) => sign(null, bytes, privateKey).toString('base64'),
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-folder-'));
  await mkdir(join(folder, 'packages'));
  await writeFile(join(folder, 'packages/release-key.pub'), 'a key of the packages');
  await writeFile(join(folder, 'b.tar'), 'b');
  await writeFile(join(folder, 'a.tar'), 'a');
});
afterEach(() => rm(folder, { recursive: true }));

describe('the checksums of a folder', () => {
  it('are those that sha256sum checks, of all files but its own', async () => {
    await signFolder(folder, '1.2.3', key);
    const sums = await readFile(join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums.split('\n').map((line) => line.slice(66))).toEqual(['a.tar', 'b.tar', 'packages/release-key.pub', '']);
    await run('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: folder });
    await writeFile(join(folder, 'a.tar'), 'other');
    await expect(run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder })).rejects.toThrow('1 computed');
  });

  it('are signed by the release key', async () => {
    await signFolder(folder, '1.2.3', key);
    const [sums, signature, pem] = await Promise.all(
      ['SHA256SUMS', 'SHA256SUMS.sig', 'release-key.pem.pub'].map((name) => readFile(join(folder, name))),
    );
    const publicKey = createPublicKey(pem!);
    expect(verify(null, sums!, publicKey, signature!)).toBe(true);
    expect(verify(null, Buffer.concat([sums!, Buffer.from('x')]), publicKey, signature!)).toBe(false);
  });

  it('name what two releases differ in', () => {
    const sums = (content: string) => sumsOf([{ name: 'a.tar', sha256: content.repeat(64) }]);
    expect(differences(sums('a'), sums('a'))).toEqual([]);
    expect(differences(sums('a'), sums('b'))).toEqual(['a.tar']);
    expect(differences(sums('a'), '')).toEqual(['a.tar']);
  });
});

describe("minisign's form of the signature", () => {
  it('has the prehashed signature, the same key id, and a signed comment', () => {
    const content = Buffer.from('sums');
    const [, signature = '', comment = '', whole = ''] = minisignature(key, content, 'warren 1.2.3').split('\n');
    const [bytes, pub] = [signature, minisignKey(key).split('\n')[1] ?? ''].map((one) => Buffer.from(one, 'base64'));
    expect([bytes!.subarray(0, 2).toString(), pub!.subarray(0, 2).toString()]).toEqual(['ED', 'Ed']);
    expect(bytes!.subarray(2, 10)).toEqual(pub!.subarray(2, 10));
    expect(comment).toBe('trusted comment: warren 1.2.3');
    const signed = Buffer.concat([bytes!.subarray(10), Buffer.from('warren 1.2.3')]);
    expect(verify(null, signed, createPublicKey(privateKey), Buffer.from(whole, 'base64'))).toBe(true);
  });
});

describe('the provenance', () => {
  it('names the commit, each artefact and each input by digest, and no time or path', async () => {
    const source = { version: '1.2.3', commit: 'c'.repeat(40), epoch: 1_700_000_000 };
    const statement = provenanceOf(source, await digestsIn(folder), {
      repository: 'git+https://git.example.com/warren',
      locks: [{ name: 'package-lock.json', sha256: 'd'.repeat(64) }],
      nodes: [{ processor: 'arm64', version: '24.21.0', sha256: 'f'.repeat(64) }],
      debs: [{ name: 'libc6', version: '2.36-9', sha256: 'e'.repeat(64), processor: 'arm64' }],
      agentDebs: ['nodejs (24.22.2+dfsg-1 Debian:unstable [armhf])'],
      tools: { tar: 'tar (GNU tar) 1.34' },
    });
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          externalParameters: { version: '1.2.3' },
          resolvedDependencies: [
            { uri: 'git+https://git.example.com/warren', digest: { gitCommit: source.commit } },
            { name: 'package-lock.json', digest: { sha256: 'd'.repeat(64) } },
            { uri: 'pkg:generic/node@24.21.0?arch=arm64', digest: { sha256: 'f'.repeat(64) } },
            { uri: 'pkg:deb/debian/libc6@2.36-9?arch=arm64', digest: { sha256: 'e'.repeat(64) } },
            { name: 'nodejs (24.22.2+dfsg-1 Debian:unstable [armhf])' },
          ],
        },
      },
    });
    expect(statement.subject.map(({ name }) => name)).toEqual(['a.tar', 'b.tar', 'packages/release-key.pub']);
    expect(JSON.stringify(statement)).not.toContain(folder);
  });
});
