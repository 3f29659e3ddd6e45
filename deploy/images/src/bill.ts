import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@warren/local/settings';
import type { Installed } from './closure.ts';
import { madeAt } from './time.ts';

/** A component as CycloneDX 1.5 has it (https://cyclonedx.org/docs/1.5/json). */
interface Component {
  type: 'library' | 'application';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses?: { expression: string }[];
  hashes?: { alg: 'SHA-512'; content: string }[];
}

export interface Bill {
  $schema: string;
  bomFormat: 'CycloneDX';
  specVersion: '1.5';
  version: number;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** A package in npm's lock file; a link points to a workspace. */
interface Locked {
  version?: string;
  license?: string;
  integrity?: string;
}

export type Lock = Readonly<Record<string, Locked>>;

/** @param folder the one that package-lock.json is in, relative to the workspace's root */
export async function readLock(folder: string): Promise<Lock> {
  const text = await readFile(join(root, folder, 'package-lock.json'), 'utf8');
  return (JSON.parse(text) as { packages: Lock }).packages;
}

/** Package URL of an npm package (https://github.com/package-url/purl-spec). */
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
const nameIn = (folder: string) => folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);

function componentOf(name: string, version: string, { license, integrity }: Locked): Component {
  const purl = purlOf(name, version);
  const [, hash] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  return {
    type: 'library' as const,
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license && { licenses: [{ expression: license }] }),
    ...(hash && { hashes: [{ alg: 'SHA-512' as const, content: Buffer.from(hash, 'base64').toString('hex') }] }),
  };
}

/** Lists the packages of a lock file. */
export function componentsOf(lock: Lock): Component[] {
  return Object.entries(lock).flatMap(([folder, locked]) =>
    folder.includes('node_modules/') && locked.version ? [componentOf(nameIn(folder), locked.version, locked)] : [],
  );
}

/** Parses a list of Debian packages in apt's format, such as `libicu78 (78.3-2 Debian:unstable [armhf])` per line. */
export function debianComponentsOf(list: string): Component[] {
  return [...list.matchAll(/^(\S+) \((\S+) .*\[(\w+)\]\)/gm)].map(([, name = '', version = '', architecture = '']) => {
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl };
  });
}

const unique = (components: readonly Component[]) => [...new Map(components.map((one) => [one.purl, one])).values()];

/**
 * Builds the bill of materials of an image.
 * @param packages packages that are installed in it or part of its bundles
 * @param further other components
 * @throws Error if the lock file lacks one of the packages in its installed version
 */
export function billOf(
  image: { name: string; version: string },
  lock: Lock,
  packages: readonly Installed[],
  further: readonly Component[],
): Bill {
  const found = packages.map(({ name, version, folder, licence }) => {
    const locked = lock[folder];
    if (locked?.version !== version) {
      throw new Error(
        `${image.name}: ${folder} is ${version}, package-lock.json has ${locked?.version ?? 'none'}: run npm ci`,
      );
    }
    return componentOf(name, version, { ...(licence && { license: licence }), ...locked });
  });
  const needed = new Map<string, Set<string>>();
  for (const { name, version, needs } of packages) {
    const refs = needed.get(purlOf(name, version)) ?? new Set();
    for (const one of needs) refs.add(purlOf(one.name, one.version));
    needed.set(purlOf(name, version), refs);
  }
  const purl = `pkg:oci/${image.name}@${image.version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: madeAt().toISOString(),
      component: { type: 'application', 'bom-ref': purl, ...image, purl },
    },
    components: unique([...found, ...further]),
    dependencies: [...needed].map(([ref, refs]) => ({ ref, dependsOn: [...refs].sort() })),
  };
}
