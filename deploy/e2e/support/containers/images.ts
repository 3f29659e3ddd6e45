import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeImages } from '@warren/images/make';
import { imageName } from '@warren/images/docker';
import { targetNames } from '@warren/images/targets';
import { silent } from '@warren/local/progress';
import type { Engine } from '../engine.ts';

const run = promisify(execFile);
const SERVERS = 'warren-test/servers:bookworm';
const BASE = 'warren-test/node:bookworm';
export const NAMING = { prefix: 'warren-test', tag: 'e2e' } as const;
/**
 * The version to begin with. By default it is this one under another tag; `WARREN_FROM` names the checkout of an older one, whose
 * images are there as `warren-test/…:from`.
 */
export const FROM = { checkout: process.env['WARREN_FROM'], tag: 'from' } as const;

async function build(name: string, folder: string, args: string[] = []): Promise<void> {
  await run('docker', ['build', '--quiet', '--tag', name, ...args, folder], { maxBuffer: 16 << 20 });
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'warren-image-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Debian with this machine's Node 24, in the place of the public image. */
async function makeBase(debian: string): Promise<void> {
  await inFolder(async (folder) => {
    await cp(process.execPath, join(folder, 'node'), { dereference: true });
    await writeFile(join(folder, 'Dockerfile'), `FROM ${debian}\nCOPY node /usr/local/bin/node\n`);
    await build(BASE, folder);
  });
}

/** Servers for Compose. @returns the image's name; it can be any of them */
export async function makeServers(engine: Engine): Promise<string> {
  const debian = await engine.image();
  await inFolder(async (folder) => {
    await cp(join(import.meta.dirname, 'servers.sh'), join(folder, 'servers.sh'));
    await cp(join(import.meta.dirname, 'servers.Dockerfile'), join(folder, 'Dockerfile'));
    await build(SERVERS, folder, ['--build-arg', `BASE=${debian}`]);
  });
  return SERVERS;
}

/** The images of Warren, of what is built here; those of an earlier run with `WARREN_IMAGES=kept`. */
export async function makeWarren(engine: Engine): Promise<void> {
  if (process.env['WARREN_IMAGES'] !== 'kept') {
    await makeBase(await engine.image());
    await makeImages({ ...NAMING, base: BASE }, silent);
  }
  if (FROM.checkout !== undefined) return;
  const { prefix } = NAMING;
  for (const target of targetNames) {
    await run('docker', ['tag', imageName(target, NAMING), imageName(target, { prefix, tag: FROM.tag })]);
  }
}
