import { describe, expect, it } from '@jest/globals';
import { of, one, rendered, renderedWith, type Item } from './chart.ts';

const PROMETHEUS = 'http://prometheus.monitoring:9090';

describe('scaling', () => {
  it('is by CPU, memory and further metrics, as fast as it is asked for', async () => {
    const metric = { type: 'External', external: { metric: { name: 'x' }, target: { type: 'Value', value: '1' } } };
    const items = await renderedWith('trying-out', {
      defaults: { autoscaling: { enabled: true, targetMemory: 80 } },
      gateway: { autoscaling: { metrics: [metric], behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } },
      tenancy: { autoscaling: { enabled: false } },
    });
    expect(of(items, 'HorizontalPodAutoscaler')).toHaveLength(6);
    const gateway = one(items, 'HorizontalPodAutoscaler', 'w-warren-gateway')['spec'];
    expect(gateway.metrics.map(({ resource }: Item) => resource)).toEqual([
      { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
      { name: 'memory', target: { type: 'Utilization', averageUtilization: 80 } },
      undefined,
    ]);
    expect(gateway.behavior.scaleDown).toMatchObject({ stabilizationWindowSeconds: 60, policies: [{ value: 1 }] });
    expect(one(items, 'Deployment', 'w-warren-tenancy')['spec'].replicas).toBe(2);
  });

  it("is KEDA's where that is chosen, by the agents that Prometheus counts", async () => {
    const keda = { enabled: true, prometheusUrl: PROMETHEUS };
    const items = await renderedWith('production', { defaults: { autoscaling: { keda } } });
    expect(of(items, 'HorizontalPodAutoscaler')).toEqual([]);
    expect(one(items, 'ScaledObject', 'w-warren-gateway')['spec']).toMatchObject({
      scaleTargetRef: { name: 'w-warren-gateway' },
      minReplicaCount: 2,
      maxReplicaCount: 6,
      triggers: [{ type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } }],
    });
    const tunnels = one(items, 'ScaledObject', 'w-warren-tunnels')['spec'];
    expect(tunnels.triggers).toEqual([
      {
        type: 'prometheus',
        metadata: {
          serverAddress: PROMETHEUS,
          query: 'sum(warren_tunnels_agents_connected{namespace="hub",release="w"})',
          threshold: '5000',
        },
      },
    ]);
    expect(tunnels.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.policies[0].value).toBe(1);
    expect(one(items, 'Deployment', 'w-warren-tunnels')['spec'].replicas).toBeUndefined();
  });

  it('keeps as many pods as a budget says', async () => {
    const budget = async (podDisruptionBudget: object) =>
      one(await renderedWith('production', { podDisruptionBudget }), 'PodDisruptionBudget', 'w-warren-tunnels')['spec'];
    expect(await budget({ minAvailable: '50%' })).toMatchObject({ minAvailable: '50%' });
    expect((await budget({ minAvailable: 1 })).maxUnavailable).toBeUndefined();
    expect(await budget({ maxUnavailable: '25%' })).toMatchObject({ maxUnavailable: '25%' });
  });

  it.each([
    [
      { podDisruptionBudget: { minAvailable: 2 } },
      /minAvailable: expected less than the pods of gateway, 2, .*came: 2/,
    ],
    [
      { gateway: { autoscaling: { targetCpu: 0 } } },
      /gateway.autoscaling: expected targetCpu, targetMemory or metrics/,
    ],
    [
      { tunnels: { autoscaling: { keda: { enabled: true } } } },
      /tunnels.autoscaling.keda.prometheusUrl: expected the address of a Prometheus .*came: none/,
    ],
    [
      { gateway: { autoscaling: { targetCpu: 0, keda: { enabled: true } } } },
      /gateway.autoscaling: expected targetCpu, targetMemory or keda.triggers/,
    ],
    [{ gateway: { preStopSeconds: 60 } }, /gateway.terminationGracePeriodSeconds: expected 90 at least.*came: 45/],
  ])('refuses %j', async (values, text) => {
    await expect(renderedWith('production', values)).rejects.toThrow(text);
  });
});

describe('Services', () => {
  it('are reached from outside by a second one without the port of metrics', async () => {
    const items = await renderedWith('production', {
      defaults: { internalTrafficPolicy: 'Local' },
      gateway: {
        service: {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Local',
          annotations: { a: 'b' },
          loadBalancerSourceRanges: ['203.0.113.0/24'],
        },
      },
    });
    const open = one(items, 'Service', 'w-warren-gateway-public');
    expect(open['metadata'].annotations).toEqual({ a: 'b' });
    expect(open['spec']).toMatchObject({
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      loadBalancerSourceRanges: ['203.0.113.0/24'],
      ports: [{ name: 'http', port: 80, targetPort: 'http' }],
    });
    expect(open['spec'].ports).toHaveLength(1);
    expect(one(items, 'Service', 'w-warren-gateway')['spec']).toMatchObject({ internalTrafficPolicy: 'Local' });
    expect(of(items, 'Service').filter(({ spec }) => spec.type)).toHaveLength(1);
    expect(one(items, 'Service', 'w-warren-identity')['spec'].internalTrafficPolicy).toBeUndefined();
  });

  it('have a port of the nodes', async () => {
    const items = await renderedWith('trying-out', { tunnels: { service: { type: 'NodePort', nodePort: 30_090 } } });
    const { spec } = one(items, 'Service', 'w-warren-tunnels-public');
    expect(spec).toMatchObject({ type: 'NodePort', ports: [{ nodePort: 30_090 }] });
  });
});

it('gives disks a storage class of the server, else of all charts, else none', async () => {
  const classOf = (items: Item[], name: string) =>
    one(items, 'StatefulSet', `w-warren-${name}`)['spec'].volumeClaimTemplates[0].spec.storageClassName;
  expect(classOf(await rendered('trying-out'), 'redis')).toBeUndefined();
  const items = await renderedWith('trying-out', {
    global: { storageClass: 'slow' },
    postgresql: { storageClass: 'fast' },
    nats: { storageClass: '-' },
  });
  expect(['postgresql', 'redis', 'nats'].map((name) => classOf(items, name))).toEqual(['fast', 'slow', '']);
});

it('relabels targets after the labels that rules need, and metrics', async () => {
  const relabelings = [{ sourceLabels: ['__meta_kubernetes_pod_node_name'], targetLabel: 'node' }];
  const metricRelabelings = [{ sourceLabels: ['__name__'], regex: 'nodejs_gc_.*', action: 'drop' }];
  const serviceMonitor = { relabelings, metricRelabelings };
  const items = await renderedWith('production', { observability: { serviceMonitor } });
  const [endpoint] = one(items, 'ServiceMonitor', 'w-warren')['spec'].endpoints;
  expect(endpoint.relabelings.map(({ targetLabel }: Item) => targetLabel)).toEqual(['namespace', 'release', 'node']);
  expect(endpoint.metricRelabelings).toEqual(metricRelabelings);
});
