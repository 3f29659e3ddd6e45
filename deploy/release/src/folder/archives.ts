import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '@warren/agent/packaging/run';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { stableTar } from '../images/layer.ts';
import { work } from '../places.ts';
import type { Source } from '../ready.ts';

const helm = join(root, '.warren/tools/helm');
/** What Compose reads, from the checkout's folder on. */
const COMPOSE = ['deploy/compose', 'helm/warren/files', 'LICENSE', 'CHANGELOG.md'];
const DOCS = ['docs', 'README.md', 'LICENSE', 'CHANGELOG.md'];

/** Files of the commit, so that nothing else of the checkout gets in. */
async function archive({ version, commit }: Source, file: string, paths: string[]): Promise<void> {
  const tar = `${file}.tar`;
  // Rights in the archive are the same for every umask here.
  const options = ['-c', 'tar.umask=0022', 'archive', '--format=tar', `--prefix=warren-${version}/`];
  await command('git', [...options, `--output=${tar}`, commit, ...paths], { cwd: root });
  await command('/bin/sh', ['-c', 'gzip -6n <"$1" >"$2" && rm "$1"', 'sh', tar, file]);
}

/** Helm checks the chart and packs it; its archive has the time of the packing, so the content is packed again. */
async function packChart({ version, commit, epoch }: Source, folder: string): Promise<void> {
  const place = join(work, 'chart');
  await rm(place, { recursive: true, force: true });
  await mkdir(join(place, 'unpacked'), { recursive: true });
  const tar = join(place, 'source.tar');
  await command('git', ['-c', 'tar.umask=0022', 'archive', `--output=${tar}`, commit, 'helm/warren'], { cwd: root });
  await run('tar', ['-xf', tar, '-C', place]);
  await command(helm, ['package', join(place, 'helm/warren'), '--destination', place]);
  const name = `warren-${version}.tgz`;
  await run('tar', ['-xzf', join(place, name), '-C', join(place, 'unpacked')]);
  await run('chmod', ['-R', 'u=rwX,go=rX', join(place, 'unpacked')]);
  const options = ['--use-compress-program=gzip -6n', ...stableTar(epoch), '-C', join(place, 'unpacked')];
  await run('tar', ['-cf', join(folder, name), ...options, 'warren']);
  await rm(place, { recursive: true });
}

/** Writes chart, Compose files, documentation and the agent's packages. */
export async function writeArchives(source: Source, folder: string): Promise<void> {
  await packChart(source, folder);
  await archive(source, join(folder, `warren-${source.version}-compose.tar.gz`), COMPOSE);
  await archive(source, join(folder, `warren-${source.version}-docs.tar.gz`), DOCS);
  await cp(join(root, 'agent/dist/packages'), join(folder, 'packages'), { recursive: true });
  await cp(join(root, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'));
}
