import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The parts of a version's folder that are its runtime: Node, and a folder of libraries if Node needs them. */
export const RUNTIME = ['lib/node', 'lib/runtime'] as const;

/** The SHA-256 of a file, hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/**
 * Identifies the runtime in a version's folder by the content of its files.
 * @returns the SHA-256 of one line for each file, sorted, as sha256sum writes it; undefined if there is no runtime
 */
export async function runtimeDigest(version: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for (const file of await runtimeFiles(version)) hash.update(`${await sha256Of(join(version, file))}  ${file}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return hash.digest('hex');
}

/** Adds the runtime of one version to the folder of another: as hard links, or as copies where the file system has none. */
export async function shareRuntime(from: string, to: string): Promise<void> {
  for (const file of await runtimeFiles(from)) {
    const [source, target] = [join(from, file), join(to, file)];
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    await link(source, target).catch(() => copyFile(source, target));
  }
}

/** Paths relative to the version's folder, sorted. */
async function runtimeFiles(version: string): Promise<string[]> {
  const [program, folder] = RUNTIME;
  const entries = await readdir(join(version, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return [program, ...files.map(({ parentPath, name }) => relative(version, join(parentPath, name)))].sort();
}
