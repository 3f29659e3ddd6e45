import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { MIRROR, prepareApt, SUITE } from './apt.ts';
import { compileForArm } from './compile.ts';
import { cache, debianPackages } from './places.ts';
import { run } from './run.ts';

const LIBRARIES = 'usr/lib/arm-linux-gnueabihf';
const LOADER = 'ld-linux-armhf.so.3';
/** Libraries that are loaded by name at run time, so that no program lists them. */
const BY_NAME = ['libnss_files.so.2', 'libnss_dns.so.2'];
/** Modules that Debian's Node reads from files of these packages. */
const MODULES = ['acorn', 'acorn-walk', 'undici'];

const START = `#!/bin/sh
# Node with the libraries that it was built for, whatever the device has.
runtime=\${0%/*}/runtime
exec "$runtime/${LOADER}" --library-path "$runtime" --preload "$runtime/builtins.so" --argv0 "$0" "$runtime/node" "$@"
`;

/** Node as a folder: `node` starts it, `runtime` holds the program and its libraries, `notices.txt` their licences. */
export interface FolderRuntime {
  folder: string;
  /** Version of Node, as in 24.22.2. */
  version: string;
}

/**
 * Fetches Debian's Node for 32-bit ARM, since the npm registry has none that is still supported.
 * Debian's archive key signs what is taken. The mirror's date is not asked for: `support.ts` refuses a version that is too old.
 * @param addons what this Node is to load, so that the libraries that they need are there as well
 * @returns the folder, kept until Debian has other versions
 * @throws Error if there is no mirror and nothing was fetched before
 */
export async function fetchDebianNode(addons: string[]): Promise<FolderRuntime> {
  const apt = await prepareApt(join(cache, 'debian'), 'armhf');
  const packages = await listPackages(apt);
  const version = /^nodejs \((\d+\.\d+\.\d+)/m.exec(packages)?.[1];
  if (!version) throw new Error(`Debian ${SUITE} at ${MIRROR} has no nodejs for armhf`);
  const source = join(import.meta.dirname, '../parts/builtins.c');
  const builtins = await compileForArm({
    name: 'builtins',
    options: ['-ldl'],
    sources: () => [{ files: [source], flags: ['-O2'] }],
    inputs: [source],
  });
  const parts = [builtins, ...addons];
  const digest = createHash('sha256').update([packages, ...parts.map((path) => basename(path)), START].join());
  const folder = join(cache, `node-armv7l-${digest.digest('hex').slice(0, 16)}`);
  if (!existsSync(folder)) await assemble(apt, folder, parts);
  return { folder, version };
}

/** What Node and its dependencies are now, a line each: name, version, architecture. Without a network, what they were. */
async function listPackages(env: NodeJS.ProcessEnv): Promise<string> {
  try {
    await run('apt-get', ['update', '--quiet', '--error-on=any'], { env });
  } catch (error) {
    if (existsSync(debianPackages)) return readFile(debianPackages, 'utf8');
    throw error;
  }
  const plan = await run('apt-get', ['install', '--simulate', '--quiet', 'nodejs'], { env });
  const lines = plan.split('\n').flatMap((line) => /^Inst (.*)$/.exec(line)?.[1] ?? []);
  const text = `${lines.sort().join('\n')}\n`;
  await writeFile(debianPackages, text);
  return text;
}

async function assemble(env: NodeJS.ProcessEnv, folder: string, [builtins = '', ...addons]: string[]): Promise<void> {
  const archives = join(cache, 'debian/cache/archives');
  await run('apt-get', ['clean'], { env });
  await run('apt-get', ['install', '--download-only', '--yes', '--quiet', 'nodejs'], { env });
  const root = join(cache, 'debian/root');
  await rm(root, { recursive: true, force: true });
  const debs = (await readdir(archives)).filter((name) => name.endsWith('.deb')).sort();
  for (const deb of debs) await run('dpkg-deb', ['--extract', join(archives, deb), root]);
  const made = `${folder}.new`;
  await rm(made, { recursive: true, force: true });
  await mkdir(join(made, 'runtime/nodejs'), { recursive: true });
  const program = join(root, 'usr/bin/node');
  await copyFile(program, join(made, 'runtime/node'));
  for (const name of await libraries(root, [program, builtins, ...addons])) {
    await cp(join(root, LIBRARIES, name), join(made, 'runtime', name), { dereference: true });
  }
  for (const name of MODULES)
    await copyScripts(join(root, 'usr/share/nodejs', name), join(made, 'runtime/nodejs', name));
  await copyFile(builtins, join(made, 'runtime/builtins.so'));
  await writeFile(join(made, 'node'), START);
  await chmod(join(made, 'node'), 0o755);
  await writeFile(join(made, 'notices.txt'), await licences(root, debs));
  await rename(made, folder);
  await rm(root, { recursive: true });
}

/** The modules' scripts alone, without their declarations and links to other packages. */
async function copyScripts(from: string, to: string): Promise<void> {
  const script = (path: string) => path.endsWith('.js') || !/\.[a-z]+$/.test(basename(path));
  await cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => script(path) && !path.includes('/node_modules'),
  });
}

/** Names of all shared libraries that programs load, the loader too. */
async function libraries(root: string, programs: string[]): Promise<string[]> {
  const found = new Set([LOADER, ...BY_NAME]);
  const files = [...programs, ...BY_NAME.map((name) => join(root, LIBRARIES, name))];
  for (const file of files) {
    const text = await run('readelf', ['--dynamic', '--wide', file]);
    for (const [, name = ''] of text.matchAll(/\(NEEDED\).*\[(.+)\]/g)) {
      if (found.has(name)) continue;
      found.add(name);
      files.push(join(root, LIBRARIES, name));
    }
  }
  return [...found];
}

async function licences(root: string, debs: string[]): Promise<string> {
  const texts = debs.map(async (deb) => {
    const [name = '', version = ''] = deb.split('_');
    const text = await readFile(join(root, 'usr/share/doc', name, 'copyright'), 'utf8').catch(() => '');
    return `${name} ${decodeURIComponent(version)} of Debian; its source: ${MIRROR}\n\n${text}`;
  });
  return (await Promise.all(texts)).join(`\n${'-'.repeat(80)}\n`);
}
