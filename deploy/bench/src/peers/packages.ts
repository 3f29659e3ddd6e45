import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const PEERS = join(import.meta.dirname, '../../../../.warren/peers');

/** A peer that npm brings. Exact versions, or figures of two runs would not be of the same thing. */
export interface Packages {
  dependencies: Record<string, string>;
  overrides?: Record<string, string>;
}

/**
 * Installs a peer beside the product, unless it is there. Scripts of its packages do not run.
 * @returns the folder that holds its `node_modules`
 */
export async function installed(name: string, packages: Packages): Promise<string> {
  const folder = join(PEERS, name);
  const wanted = JSON.stringify({ private: true, ...packages }, undefined, 2);
  const done = join(folder, 'installed.json');
  if ((await readFile(done, 'utf8').catch(() => '')) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), wanted);
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  await writeFile(done, wanted);
  return folder;
}
