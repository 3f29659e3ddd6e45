import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collectNotices } from '@warren/agent/packaging/notices';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import type { Installed } from './closure.ts';
import { reports } from './places.ts';
import type { Target } from './targets.ts';

/** A bill of materials as CycloneDX 1.5 writes it; what we look at. */
interface Bill {
  metadata: { component: Record<string, unknown> };
  components: { 'bom-ref': string; version: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** npm's list of all that the services may need, by the lock file. */
export async function wholeBill(): Promise<Bill> {
  const how = ['--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  return JSON.parse(await command('npm', ['sbom', ...how, '--loglevel=error'], { cwd: root })) as Bill;
}

/** The part of a bill that is about the packages of one image. */
export function billOf(target: Target, version: string, whole: Bill, packages: readonly Installed[]): Bill {
  const kept = new Set(packages.map((one) => `${one.name}@${one.version}`));
  const name = `warren-${target}`;
  return {
    ...whole,
    metadata: {
      ...whole.metadata,
      component: { ...whole.metadata.component, name, version, purl: `pkg:oci/${name}@${version}` },
    },
    components: whole.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: whole.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  };
}

/**
 * Writes what an image is made of, `sbom.cdx.json`, and the licences of it, `NOTICES.txt`, into the image and beside it.
 * @param installed the folder in which the packages are installed
 * @param app the folder that becomes the image's
 */
export async function writeReports(
  target: Target,
  bill: Bill,
  installed: string,
  packages: readonly Installed[],
  app: string,
): Promise<void> {
  const folders = packages.filter(
    ({ folder }) => folder.startsWith('node_modules/') || folder.includes('/node_modules/'),
  );
  const notices = await collectNotices(
    installed,
    [],
    folders.map(({ folder }) => folder),
  );
  const files = { 'sbom.cdx.json': `${JSON.stringify(bill, null, 2)}\n`, 'NOTICES.txt': notices };
  for (const folder of [app, join(reports, target)]) {
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  }
}
