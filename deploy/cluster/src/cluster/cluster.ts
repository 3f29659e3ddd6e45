import { mkdir, rm } from 'node:fs/promises';
import { Engine } from '@warren/e2e/engine';
import type { Progress } from '@warren/local/progress';
import { routeToPods, startControlPlane } from './control-plane.ts';
import { addressOf, docker } from './docker.ts';
import { startAddons } from './addons.ts';
import { loadEverywhere, makeImages, makeProduct, NODE, PAUSE, TOOLS } from './images.ts';
import { Keys } from './keys.ts';
import { kubectl } from './kubectl.ts';
import { removeCgroups, runControl, runNode, startNode } from './node.ts';
import { makePrograms } from './programs.ts';
import { CONTROL, DEVICE, home, NAME, NODES } from './settings.ts';

/** Lists the containers of devices, which have generated names; a killed run leaves one behind. */
async function removeDevices(): Promise<void> {
  const ids = (await docker('ps', '--all', '--quiet')).split('\n').filter(Boolean);
  if (ids.length === 0) return;
  const lines = (await docker('inspect', '--format', '{{.Id}} {{.Config.Hostname}}', ...ids).catch(() => '')).split(
    '\n',
  );
  const own = lines.map((line) => line.split(' ')).filter(([, host]) => host?.startsWith(DEVICE));
  for (const [id = ''] of own) await docker('rm', '--force', '--volumes', id);
}

/** Removes everything that `up` creates on this machine. Missing parts are no error. */
export async function down(): Promise<void> {
  await removeDevices();
  await docker('rm', '--force', '--volumes', CONTROL, ...NODES).catch(() => undefined);
  await docker('volume', 'rm', '--force', ...NODES, `${NAME}-volumes`);
  await docker('network', 'rm', NAME).catch(() => undefined);
  await removeCgroups();
  await rm(home, { recursive: true, force: true });
}

async function startContainers(): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await docker('network', 'create', NAME);
  await runNodes();
}

async function runNodes(): Promise<void> {
  await Promise.all(NODES.map((node) => runNode(node, NODE)));
  await mkdir(`${home}/keys`, { recursive: true, mode: 0o700 });
  await runControl(NODE);
}

async function startNodes(keys: Keys): Promise<void> {
  await Promise.all(NODES.map((node) => startNode(node, keys)));
  for (const container of [CONTROL, ...NODES]) await routeToPods(container);
  await loadEverywhere([PAUSE, TOOLS]);
  await kubectl('wait', '--for=condition=Ready', 'node', '--all', '--timeout=180s');
}

/** Creates the cluster, after removing an earlier one. @throws Error if a part does not start */
export async function up(progress: Progress): Promise<void> {
  await progress.step('Programs', (note) => makePrograms(note));
  const engine = await Engine.start();
  await progress.step('Images of nodes', () => makeImages(engine));
  const product = await progress.step('Images of Warren', () => makeProduct(engine));
  await down();
  await progress.step('Containers', startContainers);
  const keys = await Keys.make(await addressOf(CONTROL));
  await progress.step('Control plane', () => startControlPlane(keys));
  await progress.step('Nodes', () => startNodes(keys));
  await progress.step('Loading images', () => loadEverywhere(product));
  await progress.step('DNS, metrics, ingress', startAddons);
}
