import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from './compile.ts';
import type { Arch } from './arches.ts';

const folder = join(import.meta.dirname, '../helper');
/** Linked statically, so that it asks for no version of a C library. */
const FLAGS = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-Os', '-s', '-static'];
const TARGETS: Record<Arch, string[]> = {
  x64: ['-target', 'x86_64-linux-musl'],
  arm64: ['-target', 'aarch64-linux-musl'],
  // The processor of a Raspberry Pi 2.
  armv7l: ['-target', 'arm-linux-musleabihf', '-mcpu=generic+v7a+vfp3d16'],
};

/** Compiles the agent's helper for a processor. */
export async function compileHelper(arch: Arch): Promise<string> {
  const files = (await readdir(folder)).sort().map((name) => join(folder, name));
  const [sources, headers] = ['.c', '.h'].map((end) => files.filter((file) => file.endsWith(end)));
  return compile(`helper-${arch}`, ['cc', ...TARGETS[arch], ...FLAGS], sources ?? [], headers);
}
