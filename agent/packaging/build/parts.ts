import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compilePty } from './pty.ts';
import { cache, workspace } from './places.ts';
import { run } from './run.ts';

/** Processors that there are packages for, as `uname -m` and systemd know them: x86_64, aarch64, armv7l. */
export const ARCHES = ['x64', 'arm64', 'armv7l'] as const;
export type Arch = (typeof ARCHES)[number];

/** What is made for one processor alone: paths of its Node and of its terminal module. */
export interface Parts {
  arch: Arch;
  runtime: string;
  pty: string;
}

const here = join(import.meta.dirname, '../parts');

/** The processor of this machine, if there are packages for it. */
export const ownArch = ARCHES.find((arch) => arch === process.arch);

/** Parts that `npm ci` has brought for this machine's own processor. Undefined when it brings none. */
export function installedParts(): Parts | undefined {
  if (!ownArch) return undefined;
  const native = `node_modules/@lydell/node-pty-linux-${ownArch}/prebuilds/linux-${ownArch}/pty.node`;
  const pty = [join(workspace, 'agent', native), join(workspace, native)].find((path) => existsSync(path));
  const runtime = join(workspace, 'node_modules/node/bin/node');
  return pty && existsSync(runtime) ? { arch: ownArch, runtime, pty } : undefined;
}

/** Brings the parts of all processors, exactly those that the lock file names. */
export async function fetchParts(): Promise<Parts[]> {
  const modules = await fetchModules();
  const runtime = (arch: Arch) => join(modules, `node-linux-${arch}/bin/node`);
  const prebuilt = (arch: Arch) => join(modules, `@lydell/node-pty-linux-${arch}/prebuilds/linux-${arch}/pty.node`);
  return [
    { arch: 'x64', runtime: runtime('x64'), pty: prebuilt('x64') },
    { arch: 'arm64', runtime: runtime('arm64'), pty: prebuilt('arm64') },
    { arch: 'armv7l', runtime: runtime('armv7l'), pty: await compilePty(modules, join(here, 'requirements.txt')) },
  ];
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
