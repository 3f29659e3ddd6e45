import { chmod, cp, link, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@warren/agent/packaging/run';
import type { ReleaseKey } from '@warren/agent/packaging/sign';
import { stableTar } from '../images/layer.ts';
import { work } from '../places.ts';
import type { Source } from '../ready.ts';
import { signFolder } from './sign.ts';

const scripts = join(import.meta.dirname, '../airgap');

/** Packs all of a release, with its own checksums and signatures, for machines without internet. */
export async function writeAirgap({ version, epoch }: Source, folder: string, key: ReleaseKey): Promise<void> {
  const name = `warren-${version}-airgap`;
  const bundle = join(work, 'airgap', name);
  await rm(join(work, 'airgap'), { recursive: true, force: true });
  await mkdir(bundle, { recursive: true });
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [from, to] = [join(folder, entry.name), join(bundle, entry.name)];
    if (entry.isDirectory()) await cp(from, to, { recursive: true });
    else await link(from, to);
  }
  for (const script of await readdir(scripts)) await cp(join(scripts, script), join(bundle, script));
  await signFolder(bundle, version, key);
  await run('chmod', ['-R', 'u=rwX,go=rX', bundle]);
  await chmod(join(bundle, 'load.sh'), 0o755);
  await run('tar', ['-cf', join(folder, `${name}.tar`), ...stableTar(epoch), '-C', join(work, 'airgap'), name]);
  await rm(join(work, 'airgap'), { recursive: true });
}
