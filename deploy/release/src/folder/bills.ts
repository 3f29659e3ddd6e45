import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { billOf, componentsOf, readLock, type Bill } from '@warren/images/bill';
import { contextOf, reports } from '@warren/images/places';
import { processors, targetNames, type Processor } from '@warren/images/targets';
import { billOfBase, type Runtime } from '../images/runtime.ts';
import type { Source } from '../ready.ts';

const write = (file: string, bill: unknown) => writeFile(file, `${JSON.stringify(bill, null, 2)}\n`);

async function read(folder: string): Promise<Bill> {
  return JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8')) as Bill;
}

/** Writes a list of parts (CycloneDX) for each image and processor, the agent's packages, and the workspace. */
export async function writeBills(
  { version }: Source,
  runtimes: Record<Processor, Runtime>,
  folder: string,
): Promise<void> {
  const bills = join(folder, 'sbom');
  await mkdir(bills, { recursive: true });
  for (const processor of Object.keys(processors) as Processor[]) {
    const { node, debs } = runtimes[processor];
    const base = billOfBase(node.version, debs, processor).components;
    for (const target of targetNames) {
      const bill = await read(join(contextOf(target), processor));
      const components = [...bill.components, ...base];
      await write(join(bills, `${target}-${processor}.cdx.json`), { ...bill, components });
    }
  }
  await write(join(bills, 'agent.cdx.json'), await read(join(reports, 'packages')));
  const workspace = billOf({ name: 'warren-workspace', version }, {}, [], componentsOf(await readLock('.')));
  await write(join(bills, 'workspace.cdx.json'), workspace);
}
