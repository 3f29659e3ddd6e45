import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from './compile.ts';
import type { Arch } from './arches.ts';
import { muslHeaders, muslList, muslSources, type Cpu } from './musl.ts';

const folder = join(import.meta.dirname, '../helper');
const FLAGS = ['-std=c11', '-Wall', '-Wextra', '-Werror', '-Os'];
/** Linked statically, so that it asks for no version of a C library. */
const COMMAND = ['build-exe', '-O', 'ReleaseSmall', '-static', '-fstrip', '-fno-lto', '-z', 'now', '--name', 'helper'];

interface Target {
  options: string[];
  cpu: Cpu;
}

const TARGETS: Record<Arch, Target> = {
  x64: {
    // Its instructions suffice; the others have arithmetic to bring along.
    options: ['-target', 'x86_64-linux-musl', '-fno-compiler-rt'],
    cpu: { name: 'x86_64', headers: 'x86_64-linux-musl', linux: 'x86-linux-any' },
  },
  arm64: {
    options: ['-target', 'aarch64-linux-musl'],
    cpu: { name: 'aarch64', headers: 'aarch64-linux-musl', linux: 'aarch64-linux-any' },
  },
  armv7l: {
    // The processor of a Raspberry Pi 2.
    options: ['-target', 'arm-linux-musleabihf', '-mcpu=generic+v7a+vfp3d16'],
    cpu: { name: 'arm', headers: 'arm-linux-musl', linux: 'arm-linux-any' },
  },
};

/** Compiles the agent's helper for a processor, with the parts of musl that it needs. */
export async function compileHelper(arch: Arch): Promise<string> {
  const { options, cpu } = TARGETS[arch];
  const files = (await readdir(folder)).sort().map((name) => join(folder, name));
  return compile({
    name: `helper-${arch}`,
    command: [...COMMAND, ...options],
    sources: async (libraries) => [
      await muslSources(libraries, cpu),
      { files: files.filter((file) => file.endsWith('.c')), flags: [...FLAGS, ...muslHeaders(libraries, cpu)] },
    ],
    inputs: [...files, muslList, import.meta.filename, join(import.meta.dirname, 'musl.ts')],
  });
}
