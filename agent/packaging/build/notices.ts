import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The licence texts of all that goes into a package.
 * @param workspace root folder
 * @param inputs files of the bundle, relative to it
 * @param more package folders that are not part of the bundle, relative to it; those that are not there are passed over
 */
export async function collectNotices(workspace: string, inputs: string[], more: string[]): Promise<string> {
  const folders = new Set(more.filter((folder) => existsSync(join(workspace, folder))));
  for (const input of inputs) {
    const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (folder) folders.add(folder);
  }
  const texts = await Promise.all([...folders].sort().map((folder) => notice(join(workspace, folder))));
  const node = 'Node.js runtime: https://github.com/nodejs/node/blob/main/LICENSE (MIT and the licences of its parts)';
  return [...texts, node].join(`\n${'-'.repeat(80)}\n`);
}

/** What a package says of itself; the licence of older ones is in a list. */
export interface Licensed {
  name: string;
  version: string;
  license?: string;
  licenses?: { type?: string }[];
}

export const licenceOf = ({ license, licenses }: Licensed): string | undefined =>
  license ?? licenses?.flatMap(({ type }) => type ?? []).join(' OR ');

async function notice(folder: string): Promise<string> {
  const meta = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Licensed;
  const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
  const text = name ? await readFile(join(folder, name), 'utf8') : '';
  return `${meta.name} ${meta.version} (${licenceOf(meta) ?? 'see its text'})\n\n${text}`;
}
