import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';

/** What no process reads: types, maps of types, manuals. Licences stay. */
const UNREAD = /\.(d\.[mc]?ts|tsbuildinfo|md|markdown)$|\.d\.[mc]?ts\.map$/i;
const LICENCE = /licen[cs]e|notice|copying/i;
/** Maps of other people's code; ours stay, so that traces name our lines. */
const MAP = /\.([mc]?js|css)\.map(\.br|\.gz)?$/;

/** What a service runs from. */
const BUNDLE = /^bundle\..*mjs(\.map)?$/;

export interface CopyOptions {
  /** Whether maps to the sources come along. */
  maps: boolean;
  /** Whether bundles do; else what they are made of is what runs. */
  bundles?: boolean;
}

function wanted(path: string, { maps, bundles = true }: CopyOptions): boolean {
  const name = basename(path);
  if (LICENCE.test(name)) return true;
  return !UNREAD.test(name) && (maps || !MAP.test(name)) && (bundles || !BUNDLE.test(name));
}

/** Copies a package's own files, without what it has in node_modules and without what no process reads. */
export async function copyPackage(from: string, to: string, options: CopyOptions): Promise<void> {
  const inner = join(from, 'node_modules');
  await cp(from, to, {
    recursive: true,
    dereference: true,
    filter: (path) => path !== inner && wanted(path, options),
  });
}

/** Copies of a workspace what runs: its manifest and what was built of it. */
export async function copyWorkspace(
  from: string,
  to: string,
  { built, bundles }: { built: readonly string[]; bundles: boolean },
): Promise<void> {
  await cp(join(from, 'package.json'), join(to, 'package.json'));
  for (const folder of built) await copyPackage(join(from, folder), join(to, folder), { maps: true, bundles });
}
