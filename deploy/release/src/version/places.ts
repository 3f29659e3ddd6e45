import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The version as one file states it. */
export interface Stated {
  file: string;
  version: string;
}

/** A file that states the version: how to find each place, and the text with another version in all of them. */
interface Place {
  file: string;
  read(text: string): string[];
  write(text: string, version: string): string;
}

interface Lock {
  version: string;
  packages: Record<string, { version?: string }>;
}

/** @param pattern with the text before the version, the version, and nothing else as groups */
const byPattern = (file: string, pattern: RegExp): Place => ({
  file,
  read: (text) => [...text.matchAll(pattern)].map(([, , version = '']) => version),
  write: (text, version) => text.replace(pattern, (_all, before: string) => `${before}${version}`),
});

const VERSION = String.raw`(\d+\.\d+\.\d+[0-9A-Za-z.+-]*)`;
const pattern = (before: string) => new RegExp(`(${before})${VERSION}`, 'gm');
/** What a manifest states of its dependencies is indented further. */
const manifest = (file: string) => byPattern(file, pattern('^  "version": "'));

const isOwn = (folder: string) => !folder.split('/').includes('node_modules');

const lock: Place = {
  file: 'package-lock.json',
  read(text) {
    const { version, packages } = JSON.parse(text) as Lock;
    return [
      version,
      ...Object.entries(packages).flatMap(([folder, one]) => (isOwn(folder) ? (one.version ?? []) : [])),
    ];
  },
  write(text, version) {
    const parsed = JSON.parse(text) as Lock;
    parsed.version = version;
    for (const [folder, one] of Object.entries(parsed.packages))
      if (isOwn(folder) && one.version) one.version = version;
    return `${JSON.stringify(parsed, null, 2)}\n`;
  },
};

async function places(root: string): Promise<Place[]> {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
  const manifests = globSync(
    workspaces.map((folder) => `${folder}/package.json`),
    { cwd: root },
  ).toSorted();
  return [
    ...['package.json', ...manifests].map(manifest),
    lock,
    byPattern('helm/warren/Chart.yaml', pattern('^(?:appV|v)ersion: ')),
    byPattern('deploy/compose/compose.yaml', pattern(String.raw`\$\{IMAGE_TAG:-`)),
    byPattern('deploy/compose/configure.sh', pattern('^IMAGE_TAG=')),
    byPattern('services/platform/src/service/service.module.ts', pattern("^export const VERSION = '")),
  ];
}

/**
 * Lists every place that states the version.
 * @throws Error that names a file in which none was found
 */
export async function statedVersions(root: string): Promise<Stated[]> {
  const found = await Promise.all(
    (await places(root)).map(async ({ file, read }) => {
      const versions = read(await readFile(join(root, file), 'utf8'));
      if (versions.length === 0) throw new Error(`${file} states no version: expected one such as 1.2.3`);
      return versions.map((version) => ({ file, version }));
    }),
  );
  return found.flat();
}

/** Writes a version into every place. */
export async function setVersion(root: string, version: string): Promise<void> {
  await statedVersions(root);
  for (const { file, write } of await places(root)) {
    const path = join(root, file);
    await writeFile(path, write(await readFile(path, 'utf8'), version));
  }
}
