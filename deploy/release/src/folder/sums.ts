import { globSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfFile } from '../files.ts';
import type { Subject } from './provenance.ts';

/** What says what the others are. */
const OWN = /^(SHA256SUMS|release-key\.)/;

/** Digests of all files below a folder, sorted by name; signatures, keys and the list itself left out. */
export async function digestsIn(folder: string): Promise<Subject[]> {
  const names: string[] = [];
  for (const name of globSync('**/*', { cwd: folder })) {
    if (!OWN.test(name) && (await stat(join(folder, name))).isFile()) names.push(name);
  }
  const sorted = names.toSorted((a, b) => (a < b ? -1 : 1));
  return Promise.all(sorted.map(async (name) => ({ name, sha256: await digestOfFile(join(folder, name)) })));
}

/** As `sha256sum --check` reads it. */
export const sumsOf = (files: readonly Subject[]) => files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');

/** Lists files that two lists of checksums do not agree on. */
export function differences(one: string, other: string): string[] {
  const read = (text: string) =>
    new Map(text.split('\n').flatMap((line) => (line ? [[line.slice(66), line.slice(0, 64)] as const] : [])));
  const [a, b] = [read(one), read(other)];
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name)).toSorted();
}
