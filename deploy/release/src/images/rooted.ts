import { lstat, readlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const MOST_LINKS = 40;

/**
 * Follows links below a root as a process would whose `/` it is, so that an absolute link never leads to this machine's files.
 * @returns the path on this machine; undefined where there is nothing
 */
export async function resolveIn(root: string, path: string): Promise<string | undefined> {
  let pending = path.split('/').filter(Boolean);
  let at = '/';
  let links = 0;
  while (pending.length > 0) {
    const [name = '', ...rest] = pending;
    const next = resolve(at, name);
    const found = await lstat(join(root, next)).catch(() => undefined);
    if (!found) return undefined;
    pending = rest;
    if (!found.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (++links > MOST_LINKS) throw new Error(`${path}: more than ${MOST_LINKS} links below ${root}`);
    const target = resolve(dirname(next), await readlink(join(root, next)));
    pending = [...target.split('/').filter(Boolean), ...rest];
    at = '/';
  }
  return join(root, at);
}
