import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { cache } from './places.ts';
import { plainEnvironment, virtualPython } from './python.ts';
import { run } from './run.ts';

/** Debian 10 and Raspberry Pi OS of that age; the processor of a Raspberry Pi 2. */
const TARGET = ['-target', 'arm-linux-gnueabihf.2.28', '-mcpu=generic+v7a+vfp3d16'];
/** Names the compiler, a Python package, and its hashes. */
const requirements = join(import.meta.dirname, '../parts/requirements.txt');

/** A shared object to compile: `name` of the result, the language, its one source file, flags, and files whose change means another result. */
export interface SharedObject {
  name: string;
  language: 'cc' | 'c++';
  source: string;
  flags: string[];
  inputs?: string[];
}

/**
 * Compiles a shared object for 32-bit ARM, by a compiler that brings the C library of an old system along.
 * @returns path of the result, which is kept until anything that it is made of changes
 */
export function compileForArm({ name, language, source, flags, inputs }: SharedObject): Promise<string> {
  const options = [...TARGET, '-shared', '-fPIC', '-O2', '-s', ...flags];
  return compile(`${name}-armv7l`, [language, ...options], [source], inputs);
}

/**
 * Compiles sources into one file, whatever the processor here.
 * @param command the compiler's language, `cc` or `c++`, and its options
 * @param inputs files besides the sources whose change means another result
 * @returns path of the result, which is kept until anything that it is made of changes
 */
export async function compile(
  name: string,
  command: string[],
  sources: string[],
  inputs: string[] = [],
): Promise<string> {
  const hash = createHash('sha256').update(command.join(' '));
  for (const input of [requirements, ...sources, ...inputs]) hash.update(await readFile(input));
  const made = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(made)) return made;
  const compiler = await fetchCompiler();
  const store = join(cache, 'zig-cache');
  await mkdir(store, { recursive: true });
  const fresh = `${made}.${process.pid}.new`;
  await run(compiler, [...command, ...sources, '-o', fresh], {
    env: { ...process.env, ZIG_GLOBAL_CACHE_DIR: store, ZIG_LOCAL_CACHE_DIR: store },
  });
  await rename(fresh, made);
  return made;
}

async function fetchCompiler(): Promise<string> {
  const folder = join(cache, 'zig');
  const program = join(folder, 'ziglang/zig');
  if (!existsSync(program)) {
    const python = await virtualPython(join(cache, 'python'));
    const options = ['--quiet', '--no-deps', '--require-hashes', '--root-user-action=ignore', '--upgrade'];
    const install = ['-m', 'pip', 'install', '--disable-pip-version-check', ...options];
    await run(python, [...install, '--target', folder, '-r', requirements], { env: plainEnvironment() });
  }
  return program;
}
