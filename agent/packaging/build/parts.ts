import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownArch, type Arch } from './arches.ts';
import { fetchDebianNode } from './debian.ts';
import { compileHelper } from './helper.ts';
import { cache, workspace } from './places.ts';
import { compilePty } from './pty.ts';
import { run } from './run.ts';

/** What is made for one processor alone: its Node, as a program or as a folder with what it needs, its terminal module and its helper. */
export interface Parts {
  arch: Arch;
  runtime: string;
  /** Version of Node, as in 24.21.0. */
  version: string;
  pty: string;
  helper: string;
}

const here = join(import.meta.dirname, '../parts');

/** Parts that `npm ci` has brought for this machine's own processor. Undefined when it brings none. */
export async function installedParts(): Promise<Parts | undefined> {
  if (!ownArch) return undefined;
  const native = `node_modules/@lydell/node-pty-linux-${ownArch}/prebuilds/linux-${ownArch}/pty.node`;
  const pty = [join(workspace, 'agent', native), join(workspace, native)].find((path) => existsSync(path));
  const runtime = join(workspace, 'node_modules/node/bin/node');
  if (!pty || !existsSync(runtime)) return undefined;
  const version = await versionOf(join(workspace, 'node_modules/node'));
  return { arch: ownArch, runtime, version, pty, helper: await compileHelper(ownArch) };
}

/** Brings the parts of all processors: exactly those that the lock file names, and Debian's Node where the registry has none. */
export async function fetchParts(): Promise<Parts[]> {
  const modules = await fetchModules();
  const prebuilt = async (arch: Arch): Promise<Parts> => {
    const node = join(modules, `node-linux-${arch}`);
    const pty = join(modules, `@lydell/node-pty-linux-${arch}/prebuilds/linux-${arch}/pty.node`);
    const version = await versionOf(node);
    return { arch, runtime: join(node, 'bin/node'), version, pty, helper: await compileHelper(arch) };
  };
  const pty = await compilePty(modules);
  const debian = await fetchDebianNode([pty]);
  const helper = await compileHelper('armv7l');
  return [
    await prebuilt('x64'),
    await prebuilt('arm64'),
    { arch: 'armv7l', runtime: debian.folder, version: debian.version, pty, helper },
  ];
}

/** Node of a processor as the lock file names it: the folder of its package, and the version. */
export async function fetchNode(arch: 'x64' | 'arm64'): Promise<{ folder: string; version: string }> {
  const folder = join(await fetchModules(), `node-linux-${arch}`);
  return { folder, version: await versionOf(folder) };
}

async function versionOf(folder: string): Promise<string> {
  return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }).version;
}

/** The lock file's packages, once for each state of it. Nothing in them is run. */
async function fetchModules(): Promise<string> {
  const stamp = join(cache, 'package-lock.done');
  const lock = await readFile(join(here, 'package-lock.json'), 'utf8');
  if (!existsSync(stamp) || (await readFile(stamp, 'utf8')) !== lock) {
    await mkdir(cache, { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) await copyFile(join(here, file), join(cache, file));
    // They are for other processors than this one, which npm takes for a mistake unless forced.
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await run('npm', ['ci', '--force', '--ignore-scripts', ...quiet], { cwd: cache });
    await writeFile(stamp, lock);
  }
  return join(cache, 'node_modules');
}
