import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '@warren/local/command';
import { root } from '@warren/local/settings';
import { dependencies } from './places.ts';
import { contentsOf, ownProcessor, processors, targetNames, type Processor } from './targets.ts';

const workspaces = [...new Set(targetNames.flatMap((target) => contentsOf(target).runs))];
const manifests = ['proto', 'rules', 'services/platform', ...workspaces];

/**
 * Returns a folder with the packages for a processor: the checkout for this machine's. For another one, npm installs the packages of
 * the lock file with this machine's npm settings, which don't get into an image.
 */
export async function dependenciesOf(processor: Processor): Promise<string> {
  if (processor === ownProcessor()) return root;
  const folder = dependencies(processor);
  const stamp = join(folder, '.stamp');
  const lock = createHash('sha256')
    .update(await readFile(join(root, 'package-lock.json')))
    .digest('hex');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === lock) return folder;
  await rm(folder, { recursive: true, force: true });
  for (const name of manifests) {
    await mkdir(join(folder, name), { recursive: true });
    await cp(join(root, name, 'package.json'), join(folder, name, 'package.json'));
  }
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(root, name), join(folder, name));
  const services = workspaces.flatMap((name) => ['--workspace', name]);
  const machine = ['--os=linux', `--cpu=${processors[processor]}`, '--libc=glibc'];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await command('npm', ['ci', '--omit=dev', ...quiet, ...machine, ...services], { cwd: folder });
  await writeFile(stamp, lock);
  return folder;
}
