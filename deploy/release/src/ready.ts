import { existsSync } from 'node:fs';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { agreedVersion, checkVersion, releaseNotes } from './version/check.ts';
import { statedVersions } from './version/places.ts';
import { folderOf } from './places.ts';

/** The commit that a release is made of. */
export interface Source {
  version: string;
  commit: string;
  /** When it was committed, in seconds; every file of the release has this time. */
  epoch: number;
}

const git = async (...args: string[]) => (await command('git', args, { cwd: root })).trim();

/**
 * Refuses a release that could not be made again, before anything is built.
 * @throws Error with one line that says what to do
 */
export async function checkReady(version: string): Promise<Source> {
  checkVersion(version);
  agreedVersion(await statedVersions(root), version);
  await releaseNotes(root, version);
  const changed = await git('status', '--porcelain', '-z');
  if (changed) {
    const files = changed.split('\0').flatMap((entry) => /^\s?\S+ (.+)$/.exec(entry)?.[1] ?? []);
    throw new Error(`Files that are not committed: ${files.slice(0, 5).join(', ')}. Commit or remove them.`);
  }
  if (existsSync(folderOf(version))) throw new Error(`${folderOf(version)} is there already: remove it first.`);
  return { version, commit: await git('rev-parse', 'HEAD'), epoch: Number(await git('log', '-1', '--format=%ct')) };
}
