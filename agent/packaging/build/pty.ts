import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { cache } from './places.ts';
import { run } from './run.ts';

/** Debian 10 and Raspberry Pi OS of that age; the processor of a Raspberry Pi 2. */
const TARGET = ['-target', 'arm-linux-gnueabihf.2.28', '-mcpu=generic+v7a+vfp3d16'];
const FLAGS = ['-shared', '-fPIC', '-O2', '-s', '-std=c++20', '-DNAPI_VERSION=8'];
const DEFINES = ['-DNODE_ADDON_API_DISABLE_CPP_EXCEPTIONS', '-DNODE_GYP_MODULE_NAME=pty', '-DBUILDING_NODE_EXTENSION'];

/**
 * The terminal module for 32-bit ARM, for which no prebuilt one exists, compiled from the same version's source.
 * @param modules folder with `node-pty`, `node-addon-api` and `node-api-headers`
 * @param requirements names the compiler, a Python package, and its hashes
 * @returns path of the module; kept until any of these changes
 */
export async function compilePty(modules: string, requirements: string): Promise<string> {
  const source = join(modules, 'node-pty/src/unix/pty.cc');
  const hash = createHash('sha256').update([...TARGET, ...FLAGS, ...DEFINES].join(' '));
  for (const input of [requirements, source, join(modules, 'node-api-headers/package.json')]) {
    hash.update(await readFile(input));
  }
  const made = join(cache, `pty-armv7l-${hash.digest('hex').slice(0, 16)}.node`);
  if (existsSync(made)) return made;
  const compiler = await fetchCompiler(requirements);
  const includes = ['node-api-headers/include', 'node-addon-api'].map((folder) => `-I${join(modules, folder)}`);
  const store = join(cache, 'zig-cache');
  await mkdir(store, { recursive: true });
  await run(compiler, ['c++', ...TARGET, ...FLAGS, ...DEFINES, ...includes, source, '-lutil', '-o', `${made}.new`], {
    env: { ...process.env, ZIG_GLOBAL_CACHE_DIR: store, ZIG_LOCAL_CACHE_DIR: store },
  });
  await rename(`${made}.new`, made);
  return made;
}

async function fetchCompiler(requirements: string): Promise<string> {
  const folder = join(cache, 'zig');
  const program = join(folder, 'ziglang/zig');
  if (!existsSync(program)) {
    const options = ['--quiet', '--no-deps', '--require-hashes', '--root-user-action=ignore', '--upgrade'];
    await run('python3', ['-m', 'pip', 'install', ...options, '--target', folder, '-r', requirements]);
  }
  return program;
}
