import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collectNotices } from '@warren/agent/packaging/notices';
import { debianPackages } from '@warren/agent/packaging/places';
import { root } from '@warren/local/settings';
import { billOf, componentsOf, debianComponentsOf, readLock } from './bill.ts';
import { isWorkspace, type Installed } from './closure.ts';
import { reports } from './places.ts';
import type { Target } from './targets.ts';

/** What an image is made of: its packages, below the folder where they are installed, and those inside of bundles. */
export interface Parts {
  installed: string;
  placed: readonly Installed[];
  inside: readonly Installed[];
}

const foldersOf = (packages: readonly Installed[]) =>
  packages.filter((one) => !isWorkspace(one)).map(({ folder }) => folder);

async function noticesOf({ installed, placed, inside }: Parts): Promise<string> {
  const standing = new Set(foldersOf(placed));
  const further = foldersOf(inside).filter((folder) => !standing.has(folder));
  const texts = [await collectNotices(installed, [], [...standing])];
  if (further.length > 0) texts.push(await collectNotices(root, [], further));
  return texts.join(`\n${'='.repeat(80)}\n`);
}

/**
 * Writes an image's software bill of materials, `sbom.cdx.json`, and its licences, `NOTICES.txt`, into the image and beside it. The base
 * has separate lists, which are made with the image.
 * @param app the folder that becomes the image's
 */
export async function writeReports(target: Target, version: string, parts: Parts, app: string): Promise<void> {
  const carried = target === 'packages' ? await carriedByAgents() : [];
  const packages = [...parts.placed, ...parts.inside];
  const bill = billOf({ name: `warren-${target}`, version }, await readLock('.'), packages, carried);
  const files = { 'sbom.cdx.json': `${JSON.stringify(bill, null, 2)}\n`, 'NOTICES.txt': await noticesOf(parts) };
  for (const folder of [app, join(reports, target)]) {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  }
}

/** What the agent's packages carry for each processor: locked by itself, and from Debian. */
async function carriedByAgents() {
  const locked = componentsOf(await readLock('agent/packaging/parts'));
  return [...locked, ...debianComponentsOf(await readFile(debianPackages, 'utf8'))];
}
