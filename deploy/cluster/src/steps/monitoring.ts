import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '@warren/local/settings';
import { applyFile } from '../cluster/addons.ts';
import { apply, isReady, kubectl, rolledOut } from '../cluster/kubectl.ts';
import { until } from '../cluster/until.ts';
import type { Release } from '../suite/release.ts';
import type { Step } from '../suite/runner.ts';

const NAMESPACE = 'monitoring';
const SCRAPED_MS = 120_000;

interface Target {
  health: string;
  lastError: string;
  labels: Record<string, string>;
}
interface RuleGroup {
  name: string;
  rules: { name: string; type: string; state?: string; health: string; lastError?: string }[];
}

/** Queries Prometheus through the API server. */
async function ask<T>(path: string): Promise<T> {
  const said = await kubectl(
    'get',
    '--raw',
    `/api/v1/namespaces/${NAMESPACE}/services/prometheus:9090/proxy/api/v1/${path}`,
  );
  return (JSON.parse(said) as { data: T }).data;
}

async function start(): Promise<void> {
  const folder = join(root, 'helm/warren/files/rules');
  const files = await readdir(folder);
  const rules = await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')]));
  await apply(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'rules', namespace: NAMESPACE },
      data: Object.fromEntries(rules) as Record<string, string>,
    },
  );
  await applyFile('monitoring.yaml');
  await rolledOut(NAMESPACE);
}

/** Waits until Prometheus scrapes every pod of Warren. @returns their number */
async function scraped(release: Release): Promise<number> {
  let count = 0;
  await until(async () => {
    const names = (await release.pods()).filter(isReady).map(({ metadata }) => metadata.name);
    const { activeTargets } = await ask<{ activeTargets: Target[] }>('targets?state=active');
    const read = new Set(
      activeTargets.filter(({ health }) => health === 'up').map(({ labels }) => labels['pod'] ?? ''),
    );
    const missing = names.filter((name) => !read.has(name));
    const errors = activeTargets.map(({ lastError }) => lastError).filter(Boolean);
    if (missing.length > 0)
      throw new Error(`Prometheus reads no metrics of ${missing.join(', ')}: ${errors.join('; ')}`);
    count = names.length;
    return true;
  }, SCRAPED_MS);
  return count;
}

/** Waits until each rule was evaluated. @throws Error for a failing one @returns their number, and the firing alerts */
async function evaluated(): Promise<{ rules: number; firing: string[] }> {
  const all = async () => (await ask<{ groups: RuleGroup[] }>('rules')).groups.flatMap(({ rules }) => rules);
  await until(async () => (await all()).every(({ health }) => health !== 'unknown'), SCRAPED_MS);
  const rules = await all();
  const bad = rules.filter(({ health }) => health !== 'ok').map(({ name, lastError }) => `${name}: ${lastError}`);
  if (rules.length === 0 || bad.length > 0) throw new Error(`${rules.length} rules; ${bad.join('; ')}`);
  return { rules: rules.length, firing: rules.filter(({ state }) => state === 'firing').map(({ name }) => name) };
}

export const monitoring: Step = {
  name: 'monitoring',
  after: ['install'],
  async run({ release }) {
    await start();
    const pods = await scraped(release);
    const { rules, firing } = await evaluated();
    return `${pods} pods read, ${rules} rules evaluated, firing: ${firing.join(', ') || 'none'}`;
  },
};
