import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { prepareApt } from '@warren/agent/packaging/apt';
import { PEERS } from './packages.ts';

const run = promisify(execFile);
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';
const LOADER = 'ld-linux-x86-64.so.2';

/** A program with the libraries that it was built for: what is run, and what it needs before its own arguments. */
export interface Unpacked {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Unpacks a program of Debian unstable beside the product, unless it is there, and installs nothing.
 * @param plugins libraries that it loads by name, which its loader does not look for beside the others
 * @throws Error on a machine that is not x64, or with what apt said
 */
export async function unpacked(name: string, plugins: string[] = []): Promise<Unpacked> {
  if (process.arch !== 'x64') throw new Error(`${name} is unpacked for x64 alone, and this machine is ${process.arch}`);
  const folder = join(PEERS, name);
  if (!existsSync(join(folder, 'unpacked'))) await bring(name, folder, plugins);
  const libraries = join(folder, 'root', LIBRARIES);
  return {
    command: join(libraries, LOADER),
    args: ['--library-path', libraries, join(folder, 'root/usr/bin', name)],
    // Of the plugins alone: what the program starts has libraries of this machine.
    env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'plugins') },
  };
}

async function bring(name: string, folder: string, plugins: string[]): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'plugins'), { recursive: true });
  const options = { cwd: folder, env: await prepareApt(join(folder, 'apt'), 'amd64') };
  await run('apt-get', ['update', '--quiet', '--error-on=any'], options);
  await run('apt-get', ['install', '--download-only', '--yes', '--quiet', name], options);
  const archives = join(folder, 'apt/cache/archives');
  for (const deb of (await readdir(archives)).filter((file) => file.endsWith('.deb')))
    await run('dpkg-deb', ['--extract', join(archives, deb), 'root'], options);
  for (const plugin of plugins)
    await copyFile(join(folder, 'root', LIBRARIES, plugin), join(folder, 'plugins', plugin));
  await rm(join(folder, 'apt'), { recursive: true });
  await writeFile(join(folder, 'unpacked.new'), '');
  await rename(join(folder, 'unpacked.new'), join(folder, 'unpacked'));
}
