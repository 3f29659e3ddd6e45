import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** Files that no process reads: types, their maps, manuals. Licences are kept. */
const UNREAD = /\.(d\.[mc]?ts|tsbuildinfo|md|markdown)$|\.d\.[mc]?ts\.map$/i;
const LICENCE = /licen[cs]e|notice|copying/i;
/** Source maps of dependencies. Warren's are kept, so that stack traces have its lines. */
const MAP = /\.([mc]?js|css)\.map(\.br|\.gz)?$/;

/** Options for the files of a service. */
const BUNDLE = /^bundle\..*mjs(\.map)?$/;

export interface CopyOptions {
  /** Whether to copy source maps. */
  maps: boolean;
  /** Whether to copy bundles instead of the modules that they are built from. */
  bundles?: boolean;
}

function wanted(path: string, { maps, bundles = true }: CopyOptions): boolean {
  const name = basename(path);
  if (LICENCE.test(name)) return true;
  return !UNREAD.test(name) && (maps || !MAP.test(name)) && (bundles || !BUNDLE.test(name));
}

/** Copies a package's files, without its node_modules and files that no process reads. */
export async function copyPackage(from: string, to: string, options: CopyOptions): Promise<void> {
  const inner = join(from, 'node_modules');
  await cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => path !== inner && wanted(path, options),
  });
}

/** Copies the runtime files of a workspace: its manifest and its build. */
export async function copyWorkspace(
  from: string,
  to: string,
  { built, bundles }: { built: readonly string[]; bundles: boolean },
): Promise<void> {
  await cp(join(from, 'package.json'), join(to, 'package.json'));
  for (const folder of built) await copyPackage(join(from, folder), join(to, folder), { maps: true, bundles });
}
