/**
 * `make release-check VERSION=1.2.3`: makes the release of `dist/release/VERSION` in another clone at another path, with the same key, and
 * lists files that differ. Clones, installs and builds everything, so it takes minutes and is run by hand.
 */
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { throwawayFile } from '@warren/agent/packaging/sign';
import { command } from '@warren/local/command';
import { failure } from '@warren/local/failure';
import { root } from '@warren/local/settings';
import { differences } from './folder/sums.ts';
import { folderOf } from './places.ts';

const [version = ''] = process.argv.slice(2);
try {
  const sums = join(folderOf(version), 'SHA256SUMS');
  const made = await readFile(sums, 'utf8').catch(() => {
    throw new Error(`${sums} is missing: run make release VERSION=${version || '1.2.3'} first`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'warren-release-'));
  try {
    const clone = join(folder, 'another-clone');
    await command('git', ['clone', '--quiet', root, clone]);
    await mkdir(join(clone, '.warren'));
    await symlink(join(root, '.warren/tools'), join(clone, '.warren/tools'));
    const env = { ...process.env, WARREN_RELEASE_KEY: process.env['WARREN_RELEASE_KEY'] || throwawayFile };
    await command('make', ['release', `VERSION=${version}`], { cwd: clone, env });
    const different = differences(made, await readFile(join(clone, 'dist/release', version, 'SHA256SUMS'), 'utf8'));
    if (different.length > 0) throw new Error(`Not the same in another clone: ${different.join(', ')}`);
    process.stdout.write(`${made.trim().split('\n').length} files are the same in another clone.\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
} catch (error) {
  process.stderr.write(`${failure(error)}\n`);
  process.exitCode = 1;
}
