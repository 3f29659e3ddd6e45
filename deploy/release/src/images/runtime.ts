import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from '@warren/agent/packaging/run';
import type { Processor } from '@warren/images/targets';
import { work } from '../places.ts';
import { fetchLibraries, type Deb } from './debian.ts';
import { findNode, type NodeBuild } from './node.ts';
import { resolveIn } from './rooted.ts';

/** What all images of a processor stand on: Node and the libraries that it needs. */
export interface Runtime {
  /** Folder with its files, as they stand below `/`. */
  root: string;
  node: NodeBuild;
  debs: Deb[];
}

const TRIPLES: Record<Processor, string> = { amd64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const NODE = '/usr/local/bin/node';
/** What the picture library asks of glibc, and Node does not. */
const FURTHER = ['libresolv.so.2'];

/** Puts Node and Debian's libraries together without running any of them, so any processor's can be made anywhere. */
export async function makeRuntime(processor: Processor): Promise<Runtime> {
  const node = await findNode(processor);
  const libraries = await fetchLibraries(processor);
  const root = join(work, `runtime-${processor}`);
  await rm(root, { recursive: true, force: true });
  await put(join(node.folder, 'bin/node'), join(root, NODE));
  for (const path of await needed(join(root, NODE), libraries.root, TRIPLES[processor])) {
    const found = await resolveIn(libraries.root, path);
    if (!found) throw new Error(`${path} is in none of Debian's packages for ${processor}`);
    await put(found, join(root, path));
  }
  await put(join(node.folder, 'LICENSE'), join(root, 'usr/local/LICENSE'));
  const debs = await copyLicences(libraries.root, libraries.debs, root);
  await writeSystem(root, { node: node.version, debs, processor });
  return { root, node, debs };
}

async function put(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { dereference: true });
}

/** Paths below `/` of all libraries that a program loads, its loader too. */
async function needed(program: string, root: string, triple: string): Promise<string[]> {
  const loader = /program interpreter: (\S+)\]/.exec(
    await run('readelf', ['--program-headers', '--wide', program]),
  )?.[1];
  if (!loader) throw new Error(`${program} names no loader`);
  const found = new Map([[basename(loader), loader]]);
  const queue = [program];
  const add = async (name: string) => {
    if (found.has(name)) return;
    const path = await inFolders(root, [`/lib/${triple}`, `/usr/lib/${triple}`], name);
    found.set(name, path);
    queue.push((await resolveIn(root, path)) ?? path);
  };
  for (const file of queue) {
    const text = await run('readelf', ['--dynamic', '--wide', file]);
    for (const [, name = ''] of text.matchAll(/\(NEEDED\).*\[(.+)\]/g)) await add(name);
    if (file === program) for (const name of FURTHER) await add(name);
  }
  return [...found.values()];
}

async function inFolders(root: string, folders: string[], name: string): Promise<string> {
  for (const folder of folders) if (await resolveIn(root, `${folder}/${name}`)) return `${folder}/${name}`;
  throw new Error(`${name} is in none of ${folders.join(', ')} of Debian's packages`);
}

/** @returns the packages that have one, those whose files are in the image */
async function copyLicences(from: string, debs: Deb[], to: string): Promise<Deb[]> {
  const taken: Deb[] = [];
  for (const deb of debs.filter(({ name }) => ['libc6', 'libstdc++6', 'libgcc-s1'].includes(name))) {
    const path = `/usr/share/doc/${deb.name}/copyright`;
    const found = await resolveIn(from, path);
    if (!found) throw new Error(`${deb.name} ${deb.version} has no ${path}`);
    await put(found, join(to, path));
    taken.push(deb);
  }
  return taken;
}

async function writeSystem(
  root: string,
  { node, debs, processor }: { node: string; debs: Deb[]; processor: Processor },
): Promise<void> {
  for (const folder of ['etc', 'tmp', 'app']) await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, 'etc/passwd'), 'warren:x:10001:10001::/app:/nonexistent\n');
  await writeFile(join(root, 'etc/group'), 'warren:x:10001:\n');
  await writeFile(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  await writeFile(join(root, 'app/base.cdx.json'), `${JSON.stringify(billOfBase(node, debs, processor), null, 2)}\n`);
  for (const name of await readdir(root)) await run('chmod', ['-R', 'u=rwX,go=rX', join(root, name)]);
  await chmod(join(root, 'tmp'), 0o1777);
}

/** Node and Debian's packages as CycloneDX. */
export function billOfBase(node: string, debs: readonly Deb[], processor: Processor) {
  const of = (name: string, version: string, purl: string) => ({ name, version, purl, 'bom-ref': purl });
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'operating-system', name: 'debian', version: '12' } },
    components: [
      {
        type: 'application',
        ...of('node', node, `pkg:generic/node@${node}`),
        licenses: [{ license: { id: 'MIT' } }],
      },
      ...debs.map(({ name, version, sha256 }) => ({
        type: 'library',
        ...of(name, version, `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${processor}`),
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      })),
    ],
  };
}
