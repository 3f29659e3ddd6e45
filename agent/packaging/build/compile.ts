import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cache } from './places.ts';
import { plainEnvironment, virtualPython } from './python.ts';
import { run } from './run.ts';

/** Debian 10 and Raspberry Pi OS of that age; the processor of a Raspberry Pi 2. */
const TARGET = ['-target', 'arm-linux-gnueabihf.2.28', '-mcpu=generic+v7a+vfp3d16'];
const SHARED_OBJECT = [
  ...['build-lib', '-dynamic', ...TARGET, '-lc', '-O', 'ReleaseFast', '-fPIC', '-fstrip', '-fno-lto', '--gc-sections'],
  // The compiler's own arithmetic takes seconds to compile, and neither object needs it. `-z now`: a missing function fails the load.
  ...['-fno-compiler-rt', '-z', 'now'],
];
/** Names the compiler, a Python package, and its hashes. */
const requirements = join(import.meta.dirname, '../parts/requirements.txt');

/** Files in C, C++ or assembler, and the flags of their compilation. */
export interface Sources {
  files: string[];
  flags: string[];
}

/** A file to compile, whatever the processor here. */
export interface Recipe {
  /** Of the result. */
  name: string;
  /** The compiler's command and its options. */
  command: string[];
  /** What is compiled, with the folder of the compiler's libraries, whose parts are compiled as needed. */
  sources: (libraries: string) => Sources[] | Promise<Sources[]>;
  /** Files whose change means another result. */
  inputs: string[];
}

/** A shared object: its options beside the common ones. */
type SharedObject = Omit<Recipe, 'command'> & { options: string[] };

/**
 * Compiles a shared object for 32-bit ARM, by a compiler that brings the C library of an old system along.
 * @returns path of the result, which is kept until anything that it is made of changes
 */
export function compileForArm({ name, options, sources, inputs }: SharedObject): Promise<string> {
  return compile({ name: `${name}-armv7l`, command: [...SHARED_OBJECT, '--name', name, ...options], sources, inputs });
}

/**
 * Compiles sources into one file.
 * @returns path of the result, which is kept until anything that it is made of changes
 */
export async function compile({ name, command, sources, inputs }: Recipe): Promise<string> {
  const hash = createHash('sha256').update(command.join(' '));
  for (const input of [requirements, import.meta.filename, ...inputs]) hash.update(await readFile(input));
  const made = join(cache, `${name}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(made)) return made;
  const compiler = await fetchCompiler();
  const store = join(cache, 'zig-cache');
  await mkdir(store, { recursive: true });
  const fresh = `${made}.${process.pid}.new`;
  const groups = await sources(join(dirname(compiler), 'lib'));
  const compiled = groups.flatMap(({ files, flags }) => ['-cflags', ...flags, '--', ...files]);
  await run(compiler, [...command, `-femit-bin=${fresh}`, ...compiled], {
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
