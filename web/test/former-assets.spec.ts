import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepFormerAssets } from '../former-assets.ts';

const HOUR_S = 3_600;
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'warren-assets-'));
  await mkdir(join(dir, 'assets'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function age(name: string, hours: number) {
  const at = Date.now() / 1000 - hours * HOUR_S;
  await writeFile(join(dir, name), '');
  await utimes(join(dir, name), at, at);
}

/** Runs the plugin as a build does that makes `assets/Now.js`. */
async function build() {
  const plugin = keepFormerAssets() as unknown as {
    configResolved: (config: object) => void;
    buildStart: () => Promise<void>;
    writeBundle: (options: object, bundle: object) => Promise<void>;
  };
  plugin.configResolved({ root: dir, build: { outDir: '.' } });
  await plugin.buildStart();
  await plugin.writeBundle({ dir }, { 'assets/Now.js': {} });
  return (await readdir(join(dir, 'assets'))).sort();
}

it('keeps the parts of the last build, however old, and those of the last day', async () => {
  await age('index.html', 72);
  await age('assets/Now.js', 72);
  await age('assets/Former.js', 72);
  await age('assets/Day.js', 23);
  await age('assets/Old.js', 73);
  expect(await build()).toEqual(['Day.js', 'Former.js', 'Now.js']);
});

it('takes what no build knows away from an unfinished one after a day', async () => {
  await age('assets/Now.js', 1);
  await age('assets/Old.js', 25);
  await age('assets/Day.js', 23);
  expect(await build()).toEqual(['Day.js', 'Now.js']);
});
