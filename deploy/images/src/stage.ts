import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { root } from '@warren/local/settings';
import { build } from 'esbuild';
import { closureOf, type Installed } from './closure.ts';
import { copyPackage, copyWorkspace } from './copy.ts';
import { dependenciesOf } from './dependencies.ts';
import { context, contextOf } from './places.ts';
import { billOf, wholeBill, writeReports } from './report.ts';
import { targetNames, targets, type Processor, type Target } from './targets.ts';

const isWorkspace = ({ folder }: Installed) => !folder.split('/').includes('node_modules');

/** Puts a package where it stands here, so that Node finds it in the same way: workspaces behind links (npm workspaces). */
async function place(installed: string, app: string, { folder, link, ...found }: Installed): Promise<void> {
  if (!isWorkspace({ folder, ...found })) {
    return copyPackage(join(installed, folder), join(app, folder), { maps: false });
  }
  await copyWorkspace(join(root, folder), join(app, folder), ['dist']);
  if (!link) return;
  await mkdir(dirname(join(app, link)), { recursive: true });
  await symlink(relative(dirname(link), folder), join(app, link));
}

async function bundleMigrate(app: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'deploy/images/src/migrate/main.ts')],
    outfile: join(app, 'migrate.mjs'),
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external: ['pg', 'zod'],
    sourcemap: 'inline',
    logLevel: 'error',
  });
}

async function stagePackages(target: Target, installed: string, app: string): Promise<Installed[]> {
  const found = new Map<string, Installed>();
  for (const service of targets[target]) {
    for (const one of await closureOf(installed, `services/${service}`)) {
      // What one service is for itself, another may reach by a link.
      if (!found.get(one.folder)?.link) found.set(one.folder, one);
    }
  }
  const all = [...found.values()];
  for (const one of all) await place(installed, app, one);
  return all;
}

/** What stands beside the packages of an image. */
async function stageOwn(target: Target, app: string): Promise<void> {
  if (target === 'migrate') return bundleMigrate(app);
  await cp(join(root, 'deploy/images/src/health.mjs'), join(app, 'health.mjs'));
  if (target !== 'gateway') return;
  // Maps of the console are for those who work on it.
  await copyPackage(join(root, 'web/dist'), join(app, 'web/dist'), { maps: false });
  for (const path of ['agent/dist/packages', 'agent/packaging/install.sh']) {
    await cp(join(root, path), join(app, path), { recursive: true });
  }
}

/** Puts together what Docker is given, anew: for each image and processor the folder that becomes /app. */
export async function stage(version: string, wanted: readonly Processor[]): Promise<void> {
  await rm(context, { recursive: true, force: true });
  const whole = await wholeBill();
  for (const processor of wanted) {
    const installed = await dependenciesOf(processor);
    for (const target of targetNames) {
      const app = join(contextOf(target), processor);
      const packages = await stagePackages(target, installed, app);
      await stageOwn(target, app);
      await writeReports(target, billOf(target, version, whole, packages), installed, packages, app);
    }
  }
}
