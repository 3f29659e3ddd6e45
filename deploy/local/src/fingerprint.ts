import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Generated folders, which are no sources. */
const made = new Set(['node_modules', 'dist', 'gen', 'coverage', 'test', 'test-results', '.nx', 'generated']);

async function* files(path: string): AsyncGenerator<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isDirectory()) return void (yield path);
  const names = (await readdir(path)).filter((name) => !made.has(name) && !name.includes('.spec.'));
  for (const name of names.sort()) yield* files(join(path, name));
}

/** Hashes the names and contents of all files in folders, without generated files and tests. */
export async function fingerprint(root: string, paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    for await (const file of files(join(root, path))) {
      hash.update(`${relative(root, file)}\0`);
      hash.update(
        createHash('sha256')
          .update(await readFile(file))
          .digest(),
      );
    }
  }
  return hash.digest('hex');
}
