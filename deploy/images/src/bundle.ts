import { join } from 'node:path';
import { root } from '@warren/local/settings';
import { build } from 'esbuild';
import { packageAt, type Installed } from './closure.ts';

/** CommonJS packages load Node's modules by require. */
const REQUIRE =
  "import { createRequire as _createRequire } from 'node:module'; const require = _createRequire(import.meta.url);";

/**
 * Bundles a program and its imports into one file.
 * @param external packages that are not bundled
 * @returns the bundled packages
 */
export async function bundle(entry: string, outfile: string, external: string[] = []): Promise<Installed[]> {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    outfile,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    conditions: ['warren-source'],
    external,
    banner: { js: REQUIRE },
    sourcemap: 'inline',
    metafile: true,
    logLevel: 'error',
  });
  const folders = Object.keys(metafile.inputs).flatMap(
    (input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return Promise.all([...new Set(folders)].map((folder) => packageAt(root, folder)));
}
