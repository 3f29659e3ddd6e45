import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rawPublicKey } from '../packaging/build/sign.ts';

const build = join(import.meta.dirname, '../packaging/build');
const checkout = join(import.meta.dirname, '../..');
const OTHER = `${'B'.repeat(43)}=`;

describe('the release key', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'warren-release-key-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs a program without a key of the environment. @returns its code, and what it wrote */
  async function run(program: string, args: string[], env: Record<string, string> = {}) {
    const { WARREN_RELEASE_KEY: _key, WARREN_OTHER_RELEASE_KEYS: _others, ...rest } = process.env;
    const given = { ...rest, WARREN_PACKAGES_DIST: join(folder, 'dist'), ...env };
    return promisify(execFile)(process.execPath, [join(build, program), ...args], { env: given }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  }

  it('is made once, for its owner alone, with its public half beside it', async () => {
    const file = join(folder, 'keys/release.pem');
    const { code, stdout } = await run('key.ts', [file]);
    expect(code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const pem = await readFile(file, 'utf8');
    const publicKey = rawPublicKey(createPrivateKey(pem));
    expect(await readFile(`${file}.pub`, 'utf8')).toBe(`${publicKey}\n`);
    expect(stdout).toContain(publicKey);
    expect(stdout).not.toContain(pem.split('\n')[1]);
    const again = await run('key.ts', [file]);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('is there already, and is not overwritten'),
    ]);
    expect(await readFile(file, 'utf8')).toBe(pem);
  });

  it('lies in the configuration folder of its owner by default', async () => {
    expect((await run('key.ts', [], { XDG_CONFIG_HOME: folder })).code).toBe(0);
    expect(await readdir(join(folder, 'warren'))).toEqual(['release-key.pem', 'release-key.pem.pub']);
  });

  it('is never made inside of the checkout, also not through a link', async () => {
    await symlink(join(checkout, 'docs'), join(folder, 'link'));
    for (const file of [join(checkout, 'release.pem'), join(folder, 'link/new/release.pem')]) {
      const { code, stderr } = await run('key.ts', [file]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('inside of this checkout')]);
    }
  });

  it.each(['package.ts', 'key.ts --check'])('is asked for by %s, which tells how to make it', async (command) => {
    const [program = '', ...args] = command.split(' ');
    const { code, stderr } = await run(program, args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^WARREN_RELEASE_KEY is not set: expected the file of the release key/);
    expect(stderr).toContain('make release-key');
    expect(stderr).toContain('THROWAWAY_KEY=1');
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a file that holds none is refused, and so are other keys that are none', async () => {
    const file = join(folder, 'release.pem');
    const missing = await run('key.ts', ['--check'], { WARREN_RELEASE_KEY: file });
    expect(missing.stderr).toContain(`WARREN_RELEASE_KEY is ${file}, which can't be read (ENOENT)`);
    await writeFile(file, 'hunter2');
    const wrong = await run('key.ts', ['--check'], { WARREN_RELEASE_KEY: file });
    expect([wrong.code, wrong.stderr]).toEqual([1, `${file} holds no private key: expected ed25519\n`]);
    await mkdir(join(folder, 'keys'));
    const key = join(folder, 'keys/release.pem');
    await run('key.ts', [key]);
    const others = await run('key.ts', ['--check'], { WARREN_RELEASE_KEY: key, WARREN_OTHER_RELEASE_KEYS: 'mine' });
    expect(others.stderr).toMatch(/^WARREN_OTHER_RELEASE_KEYS: expected Ed25519 public keys.*\(came: mine\)/);
  });

  it('and other keys are in the package, for the updates after it', async () => {
    const key = join(folder, 'keys/release.pem');
    await run('key.ts', [key]);
    const env = { WARREN_RELEASE_KEY: key, WARREN_OTHER_RELEASE_KEYS: OTHER };
    const { code, stderr } = await run('package.ts', [], env);
    expect([code, stderr]).toEqual([0, '']);
    const keys = `${(await readFile(`${key}.pub`, 'utf8')).trim()}\n${OTHER}\n`;
    const packages = join(folder, 'dist/packages');
    expect(await readFile(join(packages, 'release-keys.pub'), 'utf8')).toBe(keys);
    expect(`${await readFile(join(packages, 'release-key.pub'), 'utf8')}${OTHER}\n`).toBe(keys);
    const archives = (await readdir(packages)).filter((name) => name.endsWith('.tar.gz'));
    expect(archives).toHaveLength(2);
    for (const archive of archives) {
      const { stdout } = await promisify(execFile)('tar', [
        '-xzOf',
        join(packages, archive),
        './share/release-keys.pub',
      ]);
      expect(stdout).toBe(keys);
    }
  });
});
