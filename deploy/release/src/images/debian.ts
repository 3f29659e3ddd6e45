import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareApt } from '@warren/agent/packaging/apt';
import { run } from '@warren/agent/packaging/run';
import type { Processor } from '@warren/images/targets';
import { digestOfFile } from '../files.ts';
import { work } from '../places.ts';

/** The release whose C library is in the images, as in the image that `make images` takes it from. */
const SUITE = 'bookworm';
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1'];

/** A package of Debian as it was fetched. */
export interface Deb {
  name: string;
  version: string;
  sha256: string;
}

export interface Libraries {
  /** Folder with their files, as they stand below `/`. */
  root: string;
  debs: Deb[];
}

/** Fetches and unpacks what Node needs of Debian for a processor; nothing of it is run. Debian's archive key signs it. */
export async function fetchLibraries(processor: Processor): Promise<Libraries> {
  const folder = join(work, `debian-${processor}`);
  const env = await prepareApt(folder, processor, SUITE);
  await run('apt-get', ['update', '--quiet', '--error-on=any'], { env });
  await run('apt-get', ['clean'], { env });
  await run('apt-get', ['install', '--download-only', '--yes', '--quiet', ...PACKAGES], { env });
  const archives = join(folder, 'cache/archives');
  const root = join(folder, 'root');
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true });
  const debs: Deb[] = [];
  for (const file of (await readdir(archives)).filter((name) => name.endsWith('.deb')).toSorted()) {
    const path = join(archives, file);
    const shown = await run('dpkg-deb', ['--show', '--showformat', '${Package}\t${Version}', path]);
    const [name = '', version = ''] = shown.split('\t');
    debs.push({ name, version, sha256: await digestOfFile(path) });
    await run('dpkg-deb', ['--extract', path, root]);
  }
  return { root, debs };
}
