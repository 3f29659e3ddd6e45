import { execFile } from 'node:child_process';
import { createHash, createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const workspace = join(import.meta.dirname, '../../..');
const packages = join(workspace, 'agent/dist/packages');

/** What a release does besides having its version. */
interface Making {
  /** What stands in place of its runtime: a shell script. Without it the agent is the one that the workspace has built. */
  instead?: string;
  /** Lines that its units have besides; a unit that there is not yet is only them. */
  units?: Record<string, string[]>;
  /** Its archive is another one than was signed. */
  tampered?: boolean;
  /** Signed by a key that no device knows. */
  stranger?: boolean;
}

/** A release as it lies in a folder: `manifest.json`, its signature, and one package for this machine's processor. */
export async function makeRelease(folder: string, version: string, making: Making = {}): Promise<void> {
  const key = making.stranger ? generateKeyPairSync('ed25519').privateKey : await releaseKey();
  const work = await mkdtemp(join(tmpdir(), 'warren-release-'));
  try {
    const root = join(work, 'root');
    await mkdir(join(root, 'lib'), { recursive: true });
    await unpackOwn(root, making.instead === undefined ? '.' : './share');
    if (making.instead !== undefined) await writeFile(join(root, 'lib/node'), `#!/bin/sh\n${making.instead}\n`);
    for (const [unit, lines] of Object.entries(making.units ?? {})) {
      await writeFile(join(root, 'share', unit), lines.map((line) => `${line}\n`).join(''), { flag: 'a' });
    }
    await chmod(join(root, 'lib/node'), 0o755);
    await chmod(root, 0o755);
    await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'warren-agent', version, type: 'module' }));
    const file = `warren-agent-${version}-linux-${process.arch}.tar.gz`;
    const made = join(work, 'release');
    await mkdir(made);
    // Quick rather than small.
    await run('tar', [
      '--use-compress-program=gzip -1',
      '--owner=0',
      '--group=0',
      '-cf',
      join(made, file),
      '-C',
      root,
      '.',
    ]);
    await writeManifest(made, { version, file, key });
    if (making.tampered) await writeFile(join(made, file), '\0', { flag: 'a' });
    // At once: the hub reads folders as it finds them.
    await mkdir(join(folder, '..'), { recursive: true });
    await rename(made, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function unpackOwn(root: string, part: string): Promise<void> {
  const { packages: listed } = JSON.parse(await readFile(join(packages, 'manifest.json'), 'utf8')) as {
    packages: { arch: string; file: string }[];
  };
  const own = listed.find(({ arch }) => arch === process.arch);
  if (!own) throw new Error(`releases: there is no package for ${process.arch}`);
  await run('tar', ['-xzf', join(packages, own.file), '-C', root, part]);
}

async function writeManifest(folder: string, made: { version: string; file: string; key: KeyObject }): Promise<void> {
  const { version, file, key } = made;
  const body = await readFile(join(folder, file));
  const sha256 = createHash('sha256').update(body).digest('hex');
  const entry = { os: 'linux', arch: process.arch, file, sha256, size: body.length };
  const manifest = `${JSON.stringify({ version, packages: [entry] })}\n`;
  await writeFile(join(folder, 'manifest.json'), manifest);
  await writeFile(join(folder, 'manifest.json.sig'), sign(null, Buffer.from(manifest), key).toString('base64'));
}

/** The key that the packages of the workspace are signed with. */
async function releaseKey(): Promise<KeyObject> {
  const file = process.env['WARREN_RELEASE_KEY'] ?? join(workspace, '.warren/release-key.pem');
  return createPrivateKey(await readFile(file, 'utf8'));
}
