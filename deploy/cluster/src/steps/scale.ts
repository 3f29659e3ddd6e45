import { applyFile } from '../cluster/addons.ts';
import { apply, get, kubectl, rolledOut } from '../cluster/kubectl.ts';
import { kedaFiles } from '../cluster/programs.ts';
import { until } from '../cluster/until.ts';
import type { Step } from '../suite/runner.ts';
import { whileWorking } from '../suite/terminals.ts';

const SCALED_MS = 240_000;

export const scale: Step = {
  name: 'scale',
  after: ['device'],
  async run(world) {
    const { release } = world;
    return whileWorking(world, 150_000, async () => {
      for (const replicas of [3, 1, 2]) {
        for (const service of ['gateway', 'tunnels']) {
          await release.kubectl('scale', `deployment/${release.name}-${service}`, `--replicas=${replicas}`);
        }
        await release.settled();
      }
    });
  },
};

interface Autoscaler {
  status?: {
    currentReplicas?: number;
    desiredReplicas?: number;
    currentMetrics?: { resource?: { current: { averageUtilization?: number } } }[];
  };
}

export const autoscale: Step = {
  name: 'hpa',
  after: ['device'],
  async run({ release }) {
    await until(() => kubectl('top', 'pods', `--namespace=${release.name}`), SCALED_MS);
    // Below the usage of idle pods, to scale up; above it, to scale down.
    const on = ['enabled=true', 'minReplicas=2', 'maxReplicas=3', 'behavior.scaleDown.stabilizationWindowSeconds=0'];
    const set = (target: number) => [...on, `targetCpu=${target}`].map((text) => `tunnels.autoscaling.${text}`);
    const now = () =>
      get<Autoscaler>('horizontalpodautoscaler', `${release.name}-tunnels`, `--namespace=${release.name}`);
    await release.upgrade(...set(1), 'tunnels.autoscaling.behavior.scaleDown.policies=null');
    await until(async () => (await now()).status?.currentReplicas === 3, SCALED_MS);
    const busy = (await now()).status?.currentMetrics?.[0]?.resource?.current.averageUtilization;
    await release.upgrade(...set(900), 'tunnels.autoscaling.behavior.scaleDown.policies=null');
    await until(async () => (await now()).status?.currentReplicas === 2, SCALED_MS);
    await release.upgrade();
    return `2 > 3 pods at ${busy} % CPU and back, by metrics-server`;
  },
};

async function startKeda(): Promise<void> {
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'keda' } });
  for (const file of await kedaFiles()) await kubectl('apply', '--server-side', '--filename', file);
  await applyFile('keda.yaml');
  await rolledOut('keda');
  await kubectl('wait', 'apiservice/v1beta1.external.metrics.k8s.io', '--for=condition=Available', '--timeout=180s');
}

/** KEDA queries Prometheus for the number of links, and scales to a pod of tunnels for each. */
export const autoscaleByAgents: Step = {
  name: 'keda',
  after: ['device', 'monitoring'],
  async run(world) {
    const { release } = world;
    await startKeda();
    const set = [
      ...['enabled=true', 'minReplicas=1', 'maxReplicas=3', 'agentsPerPod=1'],
      ...['behavior.scaleDown.stabilizationWindowSeconds=0', 'behavior.scaleDown.policies=null'],
      ...['keda.enabled=true', 'keda.pollingInterval=5', 'keda.prometheusUrl=http://prometheus.monitoring:9090'],
    ];
    await release.upgrade(...set.map((text) => `tunnels.autoscaling.${text}`));
    const pods = async () =>
      (await release.pods('tunnels')).filter(({ metadata }) => !metadata.deletionTimestamp).length;
    await until(async () => (await pods()) === 1, SCALED_MS);
    const remove = await world.anotherDevice();
    try {
      await until(async () => (await pods()) === 2, SCALED_MS);
    } finally {
      await remove();
    }
    await until(async () => (await pods()) === 1, SCALED_MS);
    await release.upgrade();
    return 'one agent: 1 pod, two: 2 pods, one: 1 pod';
  },
};
