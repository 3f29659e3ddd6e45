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
  /** What replaces its runtime: a shell script. Without it the agent is the one that the workspace has built. */
  instead?: string;
  /** Lines added to its units; a new unit consists only of them. */
  units?: Record<string, string[]>;
  /** Its archive is another one than was signed. */
  tampered?: boolean;
  /** It has a package without the runtime too. */
  update?: boolean;
  /** Signed by a key that no device knows. */
  stranger?: boolean;
}

interface Listed {
  packages: { arch: string; file: string }[];
  updates: { arch: string; runtime: string }[];
}

/** A release as it lies in a folder: `manifest.json`, its signature, and its packages for this machine's processor. */
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
    const name = `warren-agent-${version}-linux-${process.arch}`;
    const file = `${name}.tar.gz`;
    const made = join(work, 'release');
    await mkdir(made);
    // Quick rather than small.
    const pack = (to: string, ...more: string[]) =>
      run('tar', [
        ...['--use-compress-program=gzip -1', '--owner=0', '--group=0', ...more],
        ...['-cf', join(made, to), '-C', root, '.'],
      ]);
    await pack(file);
    const update = making.update ? `${name}-update.tar.gz` : undefined;
    if (update) await pack(update, '--exclude=./lib/node');
    await writeManifest(made, { version, file, update, key });
    if (making.tampered) await writeFile(join(made, file), '\0', { flag: 'a' });
    // At once: the hub reads folders as it finds them.
    await mkdir(join(folder, '..'), { recursive: true });
    await rename(made, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function unpackOwn(root: string, part: string): Promise<void> {
  const { file } = ownOf((await listed()).packages);
  await run('tar', ['-xzf', join(packages, file), '-C', root, part]);
}

const listed = async () => JSON.parse(await readFile(join(packages, 'manifest.json'), 'utf8')) as Listed;

function ownOf<T extends { arch: string }>(all: T[]): T {
  const own = all.find(({ arch }) => arch === process.arch);
  if (!own) throw new Error(`releases: there is no package for ${process.arch}`);
  return own;
}

interface Written {
  version: string;
  file: string;
  update: string | undefined;
  key: KeyObject;
}

async function writeManifest(folder: string, { version, file, update, key }: Written): Promise<void> {
  const entry = async (name: string) => {
    const body = await readFile(join(folder, name));
    const sha256 = createHash('sha256').update(body).digest('hex');
    return { os: 'linux', arch: process.arch, file: name, sha256, size: body.length };
  };
  const updates = update ? [{ ...(await entry(update)), runtime: ownOf((await listed()).updates).runtime }] : [];
  const manifest = `${JSON.stringify({ version, packages: [await entry(file)], updates })}\n`;
  await writeFile(join(folder, 'manifest.json'), manifest);
  await writeFile(join(folder, 'manifest.json.sig'), sign(null, Buffer.from(manifest), key).toString('base64'));
}

/** The key that the packages of the workspace are signed with. */
async function releaseKey(): Promise<KeyObject> {
  const file = process.env['WARREN_RELEASE_KEY'] ?? join(workspace, '.warren/release-key.pem');
  return createPrivateKey(await readFile(file, 'utf8'));
}
