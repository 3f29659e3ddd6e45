import { chmod, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { root } from '@warren/local/settings';
import { bundle } from './bundle.ts';
import { closureOf, isWorkspace, type Installed } from './closure.ts';
import { copyPackage, copyWorkspace } from './copy.ts';
import { dependenciesOf } from './dependencies.ts';
import { context, contextOf, parts } from './places.ts';
import { writeReports } from './report.ts';
import { contentsOf, targetNames, type Processor, type Target } from './targets.ts';

/** Copies a package to the same relative path, so that Node resolves it likewise: workspaces by links (npm workspaces). */
async function place(
  { target, installed, app }: { target: Target; installed: string; app: string },
  { folder, link, ...found }: Installed,
): Promise<void> {
  if (!isWorkspace({ folder, ...found })) {
    return copyPackage(join(installed, folder), join(app, folder), { maps: false });
  }
  // Programs of deploy/ are bundled.
  const built = folder.startsWith('deploy/') ? [] : ['dist'];
  // Migrations are read from where they were compiled, and services that run in another's process are in its bundle.
  const bundles = target !== 'migrate' && contentsOf(target).runs.includes(folder);
  await copyWorkspace(join(root, folder), join(app, folder), { built, bundles });
  if (!link) return;
  await mkdir(dirname(join(app, link)), { recursive: true });
  await symlink(relative(dirname(link), folder), join(app, link));
}

async function stageServices(target: Target, installed: string, app: string): Promise<Installed[]> {
  const found = new Map<string, Installed>();
  for (const workspace of contentsOf(target).runs) {
    for (const one of await closureOf(installed, workspace)) {
      // What one service is for itself, another may reach by a link.
      if (!found.get(one.folder)?.link) found.set(one.folder, one);
    }
  }
  const all = [...found.values()];
  for (const one of all) await place({ target, installed, app }, one);
  return all;
}

const part = (name: string, app: string) => cp(join(parts, name), join(app, name));

/** The files by which the doctor knows what migrations there are. */
async function stageMigrations(app: string): Promise<void> {
  for (const service of contentsOf('migrate').runs) {
    const path = join(service, 'dist/migrations');
    await copyPackage(join(root, path), join(app, path), { maps: false });
  }
}

async function stageGateway(app: string): Promise<void> {
  // Source maps of the console are for development.
  await copyPackage(join(root, 'web/dist'), join(app, 'web/dist'), { maps: false });
  await cp(join(root, 'agent/packaging/install.sh'), join(app, 'agent/packaging/install.sh'));
}

/** The commands of an image, for its `/usr/local/bin`. */
export async function stageCommands(target: Target, app: string): Promise<void> {
  const { commands = {} } = contentsOf(target);
  for (const [name, program] of Object.entries(commands)) {
    const file = join(app, 'bin', name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `#!/usr/local/bin/node\nimport('/app/${program}');\n`);
    await chmod(file, 0o755);
  }
}

async function stagePackages(app: string): Promise<void> {
  await cp(join(root, 'agent/dist/packages'), join(app, 'packages'), { recursive: true });
  await mkdir(join(app, 'empty'), { recursive: true });
  await part('give.mjs', app);
}

/** Copies the files beside the services' packages. @returns the bundled packages */
async function stageOwn(target: Target, app: string): Promise<Installed[]> {
  switch (target) {
    case 'migrate':
      return [
        ...(await bundle('deploy/images/src/migrate/main.ts', join(app, 'migrate.mjs'), ['pg', 'zod'])),
        ...(await bundle('deploy/images/src/secrets/main.ts', join(app, 'secrets.mjs'), ['zod'])),
      ];
    case 'doctor':
      await stageMigrations(app);
      return bundle('deploy/doctor/src/main.ts', join(app, 'doctor.mjs'), ['pg-native']);
    case 'test':
      // It reads its templates from its own folder.
      return bundle('deploy/acceptance/src/main.ts', join(app, 'deploy/acceptance/test.mjs'), ['samlp']);
    case 'packages':
      await stagePackages(app);
      return [];
    default:
      if (target === 'gateway' || target === 'hub') await stageGateway(app);
      await part('health.mjs', app);
      await stageCommands(target, app);
      return [];
  }
}

/** Packages that are inside of what was built elsewhere, the console or the agent: all that may be, by what their workspaces need. */
async function heldBy(target: Target): Promise<Installed[]> {
  const found = await Promise.all((contentsOf(target).holds ?? []).map((workspace) => closureOf(root, workspace)));
  return found.flat();
}

/** Rebuilds Docker's build contexts: the folder of /app for each image and processor. */
export async function stage(version: string, wanted: readonly Processor[]): Promise<void> {
  await rm(context, { recursive: true, force: true });
  for (const processor of wanted) {
    const installed = await dependenciesOf(processor);
    for (const target of targetNames) {
      const app = join(contextOf(target), processor);
      await mkdir(app, { recursive: true });
      const placed = await stageServices(target, installed, app);
      const inside = [...(await stageOwn(target, app)), ...(await heldBy(target))];
      await writeReports(target, version, { installed, placed, inside }, app);
    }
  }
  for (const target of targetNames) await part('base.mjs', contextOf(target));
}
