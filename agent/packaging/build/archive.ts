import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import type { Bundle } from './bundle.ts';
import type { Arch, Parts } from './parts.ts';
import { ownArch } from './parts.ts';
import { output, staging, workspace } from './places.ts';
import { run } from './run.ts';

/** One package as the manifest lists it. `size` in bytes. */
export interface Entry {
  os: string;
  arch: string;
  file: string;
  sha256: string;
  size: number;
}

/** What stands beside the program: how it is started, systemd's units, and the way out again. */
export const SHARED = [
  'start.sh',
  'warren-agent.service',
  'warren-agent-reboot.path',
  'warren-agent-reboot.service',
  'warren-agent-update.path',
  'warren-agent-update.service',
  'uninstall.sh',
];

const TRIPLES: Record<Arch, string> = {
  x64: 'x86_64-linux-gnu',
  arm64: 'aarch64-linux-gnu',
  armv7l: 'arm-linux-gnueabihf',
};

/** Puts a package together. The same content gives the same archive, byte for byte. */
export async function makePackage({ arch, runtime, pty }: Parts, bundle: Bundle, version: string): Promise<Entry> {
  await rm(staging, { recursive: true, force: true });
  for (const folder of ['lib', 'share']) await mkdir(join(staging, folder), { recursive: true });
  await writeFile(join(staging, 'lib/agent.mjs'), bundle.code);
  await copyFile(pty, join(staging, 'lib/pty.node'));
  await copyFile(runtime, join(staging, 'lib/node'));
  await strip(join(staging, 'lib/node'), arch);
  for (const name of SHARED) await copyFile(join(workspace, 'agent/packaging', name), join(staging, 'share', name));
  await writeFile(join(staging, 'share/NOTICES.txt'), bundle.notices);
  await writeFile(join(staging, 'package.json'), JSON.stringify({ name: 'warren-agent', version, type: 'module' }));
  // Whatever the umask here, a package has the same rights in it.
  await run('chmod', ['-R', 'u=rwX,go=rX', staging]);
  await chmod(join(staging, 'lib/node'), 0o755);
  const file = `warren-agent-${version}-linux-${arch}.tar.gz`;
  const made = join(output, `.${file}.new`);
  const stable = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu'];
  await run('tar', [...stable, '--use-compress-program=gzip -6n', '-cf', made, '-C', staging, '.']);
  await rename(made, join(output, file));
  await rm(staging, { recursive: true, force: true });
  const { size } = await stat(join(output, file));
  return { os: 'linux', arch, file, sha256: await sha256(join(output, file)), size };
}

/** The name of the program that takes the symbols, a tenth of its size, out of a processor's Node; undefined if not here. */
export function stripperOf(arch: Arch): string | undefined {
  const names = [`${TRIPLES[arch]}-strip`, ...(arch === ownArch ? ['strip'] : [])];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.find((name) => folders.some((folder) => existsSync(join(folder, name))));
}

async function strip(program: string, arch: Arch): Promise<void> {
  const stripper = stripperOf(arch);
  if (stripper) await run(stripper, ['--strip-all', program]);
}

async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
