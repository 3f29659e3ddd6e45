import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { releaseKey, throwawayFile } from '@warren/agent/packaging/sign';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { unpackRelease } from './released.ts';

/** Where former versions are kept, each in a folder named after its commit. */
const kept = join(root, '.warren/former');

/** Releases from before there were tags: 0.1.0 is the last version whose services do not sign their calls. */
const untagged: Record<string, string> = { '0.1.0': 'a3b49d451a1b90a424c8c373f4fdd9bd560dce36' };

/**
 * The sources of a version, without the history.
 * @throws when this checkout does not have it
 */
async function checkout(from: string): Promise<string> {
  const ref = `${untagged[from] ?? from}^{commit}`;
  const found = await command('git', ['rev-parse', '--verify', '--quiet', ref], { cwd: root }).catch(() => {
    throw new Error(
      `FROM is "${from}": expected a folder of make release, a commit or tag of this repository, or 0.1.0`,
    );
  });
  const commit = found.trim();
  const folder = join(kept, commit);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await command('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, unfinished], { cwd: root });
  await rename(unfinished, folder);
  return folder;
}

const packagesOf = (folder: string) => join(folder, 'agent/dist/packages');

/** The public key that the agent of a version trusts. */
const keyOf = async (folder: string) => (await readFile(join(packagesOf(folder), 'release-key.pub'), 'utf8')).trim();

/** Builds it as `make build` does, its agent's package signed by the key that signs this checkout's. */
async function build(folder: string): Promise<void> {
  const key = process.env['WARREN_RELEASE_KEY'] ?? throwawayFile;
  const { SUDO_USER: _, ...environment } = process.env;
  const env = { ...environment, WARREN_RELEASE_KEY: resolve(key) };
  await command('make', ['-C', folder, 'build'], { env });
  if ((await keyOf(folder)) === (await releaseKey({ throwaway: true })).publicKey) return;
  // It was built with another key, which changes none of its sources.
  await Promise.all(
    [packagesOf(folder), join(folder, '.warren/built.json')].map((path) => rm(path, { recursive: true })),
  );
  await command('make', ['-C', folder, 'build'], { env });
}

/** @throws Error when the former agent would refuse the packages of this checkout */
async function requireKey(folder: string): Promise<void> {
  const [trusted, own] = [await keyOf(folder), (await releaseKey({ throwaway: true })).publicKey];
  if (trusted === own) return;
  throw new Error(
    `FROM was signed with another release key, ${trusted}, than this checkout signs with, ${own}: its agents would refuse the update. Set WARREN_RELEASE_KEY to the file of that key.`,
  );
}

/** The agent's part as tests of its updates take it: WARREN_FORMER_RELEASE. */
async function layOut(folder: string): Promise<void> {
  const release = join(folder, '.warren/release');
  await mkdir(release, { recursive: true });
  const parts = { packages: 'agent/dist/packages', 'install.sh': 'agent/packaging/install.sh' };
  for (const [name, path] of Object.entries(parts)) {
    const link = join(release, name);
    // One that is there may lead to where the checkout was before it was moved.
    await rm(link, { force: true });
    await symlink(join(folder, path), link);
  }
}

async function former(from: string): Promise<string> {
  if (existsSync(join(from, 'SHA256SUMS'))) return unpackRelease(from, kept);
  const folder = await checkout(from);
  await build(folder);
  return folder;
}

/** `node former.ts 0.1.0`: prints the folder of a former version, built from its commit or taken from its release. */
const [from = ''] = process.argv.slice(2);
try {
  const folder = await former(from);
  await requireKey(folder);
  await layOut(folder);
  process.stdout.write(`${folder}\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
