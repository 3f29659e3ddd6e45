import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { licenceOf, type Licensed } from '@warren/agent/packaging/notices';

/** A package in a tree of node_modules. */
export interface Installed {
  name: string;
  version: string;
  /** Its folder, relative to the tree's root: `node_modules/pg`, or `services/platform` for a workspace. */
  folder: string;
  /** The path by which Node finds it, if it differs: the link to a workspace, `node_modules/@warren/platform`. */
  link?: string;
  /** Licence as an SPDX expression, if stated. */
  licence: string | undefined;
  /** Its dependencies, if known. */
  needs: { name: string; version: string }[];
}

/** Tells whether it is a workspace, whose folder is not in node_modules. */
export const isWorkspace = ({ folder }: Installed) => !folder.split('/').includes('node_modules');

interface Manifest extends Licensed {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Lists a package's runtime dependencies, and whether each is optional. */
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

/** Reads the package in a folder, relative to the tree's root. */
export async function packageAt(root: string, folder: string): Promise<Installed> {
  const manifest = await manifestOf(join(root, folder));
  return { name: manifest.name, version: manifest.version, folder, licence: licenceOf(manifest), needs: [] };
}

/** Resolves a package like Node: in node_modules of each parent folder. */
function find(root: string, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === root) return undefined;
  }
}

/**
 * Lists a workspace and its runtime dependencies, itself first, without development dependencies and optional peers.
 * @param root the tree's folder
 * @param workspace a workspace's folder, relative to it
 * @throws Error if a required package is not installed
 */
export async function closureOf(root: string, workspace: string): Promise<Installed[]> {
  const found = new Map<string, Installed>();
  const visit = async (path: string): Promise<Installed> => {
    const folder = relative(root, await realpath(path));
    const known = found.get(folder);
    if (known) return known;
    const manifest = await manifestOf(path);
    const { name, version } = manifest;
    const own = relative(root, path);
    const one: Installed = {
      name,
      version,
      folder,
      ...(own !== folder && { link: own }),
      licence: licenceOf(manifest),
      needs: [],
    };
    found.set(folder, one);
    for (const [wanted, optional] of needs(manifest)) {
      const at = find(root, join(root, folder), wanted);
      if (at) one.needs.push(await visit(at));
      else if (!optional) throw new Error(`${name} needs ${wanted}, which is not installed under ${root}`);
    }
    return one;
  };
  await visit(join(root, workspace));
  return [...found.values()];
}
