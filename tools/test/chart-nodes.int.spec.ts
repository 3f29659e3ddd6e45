import { beforeAll, describe, expect, it } from '@jest/globals';
import { placed, quantity, requestOf, type Wanted } from './bin-packing.ts';
import { of, one, podOf, rendered, renderedWith, SERVICES, type Item } from './chart.ts';

/** A node with 4 vCPU and 16 GiB, less what its system and the pods of DaemonSets take. */
const NODE = { cpu: 3.6, memory: quantity('14Gi') };

/** The pods of the services, as many as autoscaling has at least or at most; `version` sets old and new ones apart. */
function servicePods(items: Item[], which: 'minReplicas' | 'maxReplicas', version = 'a'): Wanted[] {
  return SERVICES.flatMap((service) => {
    const [scaler] = of(items, 'HorizontalPodAutoscaler', `w-warren-${service}`);
    const { spec } = one(items, 'Deployment', `w-warren-${service}`);
    const count: number = scaler?.['spec'][which] ?? spec.replicas;
    const { labels } = spec.template.metadata;
    return Array.from({ length: count }, (_, at): Wanted => {
      return { name: `${service}-${version}-${at}`, group: `${service}-${version}`, labels, spec: spec.template.spec };
    });
  });
}

/** Jobs that run beside the services. */
function jobPods(items: Item[]): Wanted[] {
  const templates = [
    ...of(items, 'Job').map(({ spec }) => spec.template),
    ...of(items, 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template),
    ...of(items, 'Pod'),
  ];
  return templates.map(({ metadata, spec }) => {
    const name: string = metadata.labels['app.kubernetes.io/component'];
    return { name, group: name, labels: metadata.labels, spec };
  });
}

/** The pod that an upgrade adds to each service before one of the former version ends. */
const surgeOf = (items: Item[]) => servicePods(items, 'minReplicas', 'b').filter(({ name }) => name.endsWith('-b-0'));

describe('ci/production.yaml', () => {
  let items: Item[];
  beforeAll(async () => {
    items = await rendered('production');
  });

  it('fits on three nodes of 4 vCPU and 16 GiB, scaled up and during an upgrade', () => {
    const pods = [...servicePods(items, 'maxReplicas'), ...surgeOf(items), ...jobPods(items)];
    expect(pods.length).toBeGreaterThan(25);
    const nodes = placed(pods, 3, NODE);
    for (const service of SERVICES) {
      const counts = nodes.map((names) => names.filter((name) => name.startsWith(`${service}-a`)).length);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  });

  it('fits on two of them while a node is drained, with room for a pod more of each', () => {
    placed([...servicePods(items, 'minReplicas'), ...surgeOf(items), ...jobPods(items)], 2, NODE);
  });

  it('has memory for what pods may use, not only for what they request', () => {
    const limits = servicePods(items, 'maxReplicas').map(({ spec }) => spec['containers'][0].resources.limits.memory);
    expect(limits.reduce((sum: number, limit: string) => sum + quantity(limit), 0)).toBeLessThan(3 * NODE.memory);
  });

  it('would not fit with a pod of the hub on each node at most, nor on smaller nodes', async () => {
    const labelSelector = { matchLabels: { 'app.kubernetes.io/name': 'warren' } };
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const apart = await renderedWith('production', { defaults: { affinity } });
    expect(() => placed(servicePods(apart, 'minReplicas'), 3, NODE)).toThrow('fits on none of 3 nodes');
    const pods = servicePods(items, 'maxReplicas');
    expect(() => placed(pods, 3, { ...NODE, cpu: 1.6 })).toThrow('fits on none of 3 nodes');
    expect(requestOf(podOf(items, 'tunnels'), 'cpu')).toBe(0.5);
  });
});
