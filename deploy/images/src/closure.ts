import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** A package as it stands in a tree of node_modules. */
export interface Installed {
  name: string;
  version: string;
  /** Its folder, relative to the tree's root: `node_modules/pg`, or `services/platform` for a workspace. */
  folder: string;
  /** Where Node looks for it when that differs: the link to a workspace, `node_modules/@warren/platform`. */
  link?: string;
}

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** What a package needs at run time, and whether it may be missing. */
function needs(manifest: Manifest): Map<string, boolean> {
  const optional = new Set([
    ...Object.keys(manifest.optionalDependencies ?? {}),
    ...Object.entries(manifest.peerDependenciesMeta ?? {}).flatMap(([name, meta]) => (meta.optional ? [name] : [])),
  ]);
  const peers = Object.keys(manifest.peerDependencies ?? {}).filter((name) => !optional.has(name));
  const names = [
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.optionalDependencies ?? {}),
    ...peers,
  ];
  return new Map(names.map((name) => [name, optional.has(name)]));
}

/** Looks for a package as Node does: in the node_modules of each folder on the way up. */
function find(root: string, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === root) return undefined;
  }
}

/**
 * All that a workspace needs at run time, itself first. Development dependencies and optional peers stay out.
 * @param root the tree's folder
 * @param workspace a workspace's folder, relative to it
 * @throws when a package that is needed is not installed
 */
export async function closureOf(root: string, workspace: string): Promise<Installed[]> {
  const found = new Map<string, Installed>();
  const visit = async (path: string): Promise<void> => {
    const folder = relative(root, await realpath(path));
    if (found.has(folder)) return;
    const manifest = await manifestOf(path);
    const { name, version } = manifest;
    const own = relative(root, path);
    found.set(folder, { name, version, folder, ...(own !== folder && { link: own }) });
    for (const [wanted, optional] of needs(manifest)) {
      const at = find(root, join(root, folder), wanted);
      if (at) await visit(at);
      else if (!optional) throw new Error(`${name} needs ${wanted}, which is not installed under ${root}`);
    }
  };
  await visit(join(root, workspace));
  return [...found.values()];
}
