import { until } from '../cluster/until.ts';
import { get, kubectl } from '../cluster/kubectl.ts';
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
    // Below what idle pods use, so that more of them are wanted; above it, so that fewer are.
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
