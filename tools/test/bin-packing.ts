import type { Item } from './chart.ts';

/** A pod that is to be placed. */
export interface Wanted {
  name: string;
  /** Pods that spread among themselves: those of one version of a service. */
  group: string;
  labels: Record<string, string>;
  spec: Item;
}

interface Node {
  cpu: number;
  memory: number;
  pods: Wanted[];
}

const UNITS: Record<string, number> = { '': 1, m: 0.001, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

/** A quantity of Kubernetes as a number. */
export function quantity(text: string | number): number {
  const [, digits = '', unit = ''] = /^([\d.]+)(\D*)$/.exec(String(text)) ?? [];
  return Number(digits) * (UNITS[unit] ?? Number.NaN);
}

/** What the scheduler counts for a pod: its containers together, or its largest init container. */
export function requestOf(spec: Item, resource: 'cpu' | 'memory'): number {
  const of = ({ resources }: Item) => quantity(resources?.requests?.[resource] ?? 0);
  const all = (spec['containers'] as Item[]).reduce((sum, container) => sum + of(container), 0);
  return Math.max(all, ...((spec['initContainers'] ?? []) as Item[]).map(of));
}

const selects = (selector: Item, labels: Record<string, string>) =>
  Object.entries(selector['matchLabels'] as Record<string, string>).every(([key, value]) => labels[key] === value);

const countOf = (node: Node, group: string) => node.pods.filter((pod) => pod.group === group).length;

/** Whether the required constraints allow it, with each node on a separate host. */
function mayGo(pod: Wanted, node: Node, nodes: Node[]): boolean {
  const spread = ((pod.spec['topologySpreadConstraints'] ?? []) as Item[]).filter(
    (one) => one['whenUnsatisfiable'] === 'DoNotSchedule',
  );
  const fewest = Math.min(...nodes.map((one) => countOf(one, pod.group)));
  const skewed = spread.some(({ maxSkew }) => countOf(node, pod.group) + 1 - fewest > maxSkew);
  const terms = (pod.spec['affinity']?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) as Item[];
  const together = terms.some(({ labelSelector }) => node.pods.some(({ labels }) => selects(labelSelector, labels)));
  return !skewed && !together;
}

/**
 * Places pods one after another as a scheduler would: where all musts hold and its requests fit, on the emptiest node.
 * @returns the pods of each node
 * @throws Error naming a pod that fits nowhere
 */
export function placed(pods: Wanted[], count: number, size: { cpu: number; memory: number }): string[][] {
  const nodes = Array.from({ length: count }, (): Node => ({ ...size, pods: [] }));
  for (const pod of pods) {
    const [cpu, memory] = [requestOf(pod.spec, 'cpu'), requestOf(pod.spec, 'memory')];
    const [node] = nodes
      .filter((one) => one.cpu >= cpu && one.memory >= memory && mayGo(pod, one, nodes))
      .sort((a, b) => countOf(a, pod.group) - countOf(b, pod.group) || b.cpu - a.cpu);
    if (!node) throw new Error(`${pod.name} fits on none of ${count} nodes`);
    node.cpu -= cpu;
    node.memory -= memory;
    node.pods.push(pod);
  }
  return nodes.map((node) => node.pods.map(({ name }) => name));
}
