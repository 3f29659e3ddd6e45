import { chmod, copyFile, cp, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { BROUGHT_KEYS } from '../../src/update/keys.ts';
import { RUNTIME, runtimeDigest, sha256Of } from '../../src/update/runtime.ts';
import type { Bundle } from './bundle.ts';
import { manPage } from './manual.ts';
import { ownArch, type Arch } from './arches.ts';
import type { Parts } from './parts.ts';
import { output, staging, workspace } from './places.ts';
import { run } from './run.ts';

/** One package as the manifest lists it. `size` in bytes. */
interface Entry {
  os: string;
  arch: string;
  file: string;
  sha256: string;
  size: number;
}

/** A package without the runtime, for devices that have that runtime already. */
interface UpdateEntry extends Entry {
  /** What `runtimeDigest` says of it. */
  runtime: string;
}

/** The archives of one processor. */
export interface Archives {
  entry: Entry;
  update: UpdateEntry;
}

/** What a package says of its release. */
export interface Contents {
  version: string;
  /** The keys that updates after it may be signed with, a line for each. */
  keys: string;
}

/** What stands beside the program: how it is started, systemd's units, and the way out again. */
export const SHARED = [
  'start.sh',
  'warren-agent.service',
  'warren-agent-reboot.path',
  'warren-agent-reboot.service',
  'warren-agent-update.path',
  'warren-agent-update.service',
  'warren-agent-setup.service',
  'warren-agent-shell.socket',
  'warren-agent-shell@.service',
  'warren-shells.slice',
  'crashed.sh',
  'setup.sh',
  'undo-setup.sh',
  'finish.sh',
  'uninstall.sh',
];

/** Processors whose Node comes with its symbols, and what their binutils are named after. */
const STRIPPED: Partial<Record<Arch, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** Puts the packages of a processor together, whole and without its runtime. The same content gives the same archive, byte for byte. */
export async function makePackage(
  { arch, runtime, pty, helper }: Parts,
  bundle: Bundle,
  { version, keys }: Contents,
): Promise<Archives> {
  await rm(staging, { recursive: true, force: true });
  for (const folder of ['lib', 'share']) await mkdir(join(staging, folder), { recursive: true });
  await writeFile(join(staging, 'lib/agent.mjs'), bundle.code);
  await copyFile(pty, join(staging, 'lib/pty.node'));
  await copyFile(helper, join(staging, 'lib/helper'));
  await copyRuntime(runtime, arch);
  for (const name of SHARED) await copyFile(join(workspace, 'agent/packaging', name), join(staging, 'share', name));
  await writeFile(join(staging, 'share/NOTICES.txt'), bundle.notices);
  await writeFile(join(staging, BROUGHT_KEYS), keys);
  await writeFile(join(staging, 'share/warren-agent.8'), manPage(version));
  await writeFile(join(staging, 'package.json'), JSON.stringify({ name: 'warren-agent', version, type: 'module' }));
  // Whatever the umask here, a package has the same rights in it.
  await run('chmod', ['-R', 'u=rwX,go=rX', staging]);
  for (const program of ['node', 'helper']) await chmod(join(staging, 'lib', program), 0o755);
  const runtimeIs = await runtimeDigest(staging);
  if (runtimeIs === undefined) throw new Error(`the package for ${arch} has no runtime`);
  const name = `warren-agent-${version}-linux-${arch}`;
  const entry = await pack(`${name}.tar.gz`, arch);
  const update = await pack(`${name}-update.tar.gz`, arch, RUNTIME);
  await rm(staging, { recursive: true, force: true });
  return { entry, update: { ...update, runtime: runtimeIs } };
}

async function pack(file: string, arch: Arch, without: readonly string[] = []): Promise<Entry> {
  const made = join(output, `.${file}.new`);
  const stable = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  const left = without.map((path) => `--exclude=./${path}`);
  await run('tar', [...stable, ...left, '--use-compress-program=gzip -6n', '-cf', made, '-C', staging, '.']);
  await rename(made, join(output, file));
  const { size } = await stat(join(output, file));
  return { os: 'linux', arch, file, sha256: await sha256Of(join(output, file)), size };
}

/** Processors whose packages can't be made here, since nothing here takes the symbols, a tenth of its size, out of their Node. */
export function withoutStripper(): Arch[] {
  return (Object.keys(STRIPPED) as Arch[]).filter((arch) => !stripperOf(arch));
}

/** Names the program that strips a processor's Node. Undefined if there is none here, or nothing to strip. */
export function stripperOf(arch: Arch): string | undefined {
  const triple = STRIPPED[arch];
  if (!triple) return undefined;
  const names = [`${triple}-strip`, ...(arch === ownArch ? ['strip'] : [])];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.find((name) => folders.some((folder) => existsSync(join(folder, name))));
}

async function copyRuntime(runtime: string, arch: Arch): Promise<void> {
  const lib = join(staging, 'lib');
  if ((await stat(runtime)).isDirectory()) {
    await cp(runtime, lib, { recursive: true });
    await rename(join(lib, 'notices.txt'), join(staging, 'share/NOTICES.runtime.txt'));
    return;
  }
  await copyFile(runtime, join(lib, 'node'));
  await strip(join(lib, 'node'), arch);
}

async function strip(program: string, arch: Arch): Promise<void> {
  const stripper = stripperOf(arch);
  if (stripper) await run(stripper, ['--strip-all', program]);
}
