import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { command } from '@warren/local/command';
import { services } from '@warren/local/settings';

const processor = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** The tar of the images, whose name has the version. @throws Error when the folder has none for this processor */
async function imagesOf(release: string): Promise<{ file: string; version: string }> {
  const pattern = new RegExp(`^warren-(.+)-images-${processor}\\.tar$`);
  for (const file of await readdir(release)) {
    const version = pattern.exec(file)?.[1];
    if (version !== undefined) return { file, version };
  }
  throw new Error(
    `FROM is "${release}": expected a folder of make release, with warren-VERSION-images-${processor}.tar`,
  );
}

/** Copies what a service's image has in /app: its program, what that needs, and for the gateway the console. */
async function unpackImage(image: string, folder: string): Promise<void> {
  const container = (await command('docker', ['create', image])).trim();
  try {
    await command('docker', ['cp', `${container}:/app/.`, folder]);
  } finally {
    await command('docker', ['rm', container]);
  }
}

/**
 * Lays the images, the chart's files and the agent's packages of a release out as a built checkout has them.
 * @param kept the folder in which each release gets one; what is there is not unpacked again
 * @throws Error when the folder is no release, or Docker does not take its images
 */
export async function unpackRelease(from: string, kept: string): Promise<string> {
  const release = resolve(from);
  const { file, version } = await imagesOf(release);
  const folder = join(kept, basename(release) === version ? version : `${version}-${basename(release)}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  for (const path of ['helm', 'agent/dist']) await mkdir(join(unfinished, path), { recursive: true });
  await command('docker', ['load', '--input', join(release, file)]);
  for (const service of services) await unpackImage(`warren/${service}:${version}`, unfinished);
  await command('tar', [
    '-xzf',
    join(release, `warren-${version}.tgz`),
    '-C',
    join(unfinished, 'helm'),
    'warren/files',
  ]);
  await cp(join(release, 'packages'), join(unfinished, 'agent/dist/packages'), { recursive: true });
  await rename(unfinished, folder);
  return folder;
}
