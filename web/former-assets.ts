import { readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** How long a page that is open may still ask for parts of a build before the former one. */
const KEPT_MS = 24 * 60 * 60_000;
/** The longest time between the first and the last file of one build. */
const BUILD_MS = 5 * 60_000;

/**
 * Leaves the assets of former builds in place: those of the last one, and all of the last day. Their names hold their content, so
 * old and new don't meet, and a page that was opened before a build beneath a running hub finds its parts.
 */
export function keepFormerAssets(now: () => number = Date.now): Plugin {
  let former = Infinity;
  let folder = '';
  return {
    name: 'warren:keep-former-assets',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    async buildStart() {
      former = await stat(join(folder, 'index.html')).then(
        ({ mtimeMs }) => mtimeMs,
        () => Infinity,
      );
    },
    async writeBundle({ dir }, bundle) {
      if (!dir) return;
      const made = new Set(Object.keys(bundle));
      for (const name of await readdir(join(dir, 'assets'))) {
        if (made.has(`assets/${name.replace(/\.br$/, '')}`)) continue;
        const { mtimeMs } = await stat(join(dir, 'assets', name));
        if (now() - mtimeMs > KEPT_MS && mtimeMs < former - BUILD_MS) await rm(join(dir, 'assets', name));
      }
    },
  };
}
