import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where peers stay for the next time. */
export const PEERS = join(import.meta.dirname, '../../../../.warren/peers');

/** A peer that npm brings. Exact versions, or figures of two runs would not be of the same thing. */
export interface Packages {
  dependencies: Record<string, string>;
  overrides?: Record<string, string>;
}

/**
 * Installs a peer beside the product, unless it is there. Scripts of its packages do not run.
 * @returns the folder that holds its `node_modules`
 * @throws Error with the first thing that npm says
 */
export async function installed(name: string, packages: Packages): Promise<string> {
  const folder = join(PEERS, name);
  const wanted = JSON.stringify({ private: true, ...packages }, undefined, 2);
  const done = join(folder, 'installed.json');
  if ((await readFile(done, 'utf8').catch(() => '')) === wanted) return folder;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), wanted);
  await npmInstall(folder).catch((error: unknown) => {
    throw new Error(`npm did not bring ${name}: ${firstFault(error)}`, { cause: error });
  });
  await writeFile(done, wanted);
  return folder;
}

async function npmInstall(cwd: string): Promise<void> {
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd });
}

const DETAIL = /^(?:code|errno|syscall|path|dest) /;

/** Of all that a failed npm prints, the line that says why. */
export function firstFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const printed = 'stderr' in error ? String(error.stderr) : '';
  const faults = [...printed.matchAll(/^npm (?:error|ERR!) (.+)$/gm)].map(([, line]) => line ?? '');
  return faults.find((line) => !DETAIL.test(line)) ?? error.message.split('\n', 1)[0] ?? '';
}
