import { applyFile } from '../cluster/addons.ts';
import { get } from '../cluster/kubectl.ts';
import { until } from '../cluster/until.ts';
import type { Step } from '../suite/runner.ts';
import { whileWorking } from '../suite/terminals.ts';

const ACCEPTED_MS = 120_000;

interface Route {
  metadata: { name: string };
  status?: { parents?: { conditions?: { type: string; status: string; message: string }[] }[] };
}

/** @throws Error with the controller's reason for refusing a route */
async function accepted(namespace: string): Promise<number> {
  const { items } = await get<{ items: Route[] }>('httproutes', `--namespace=${namespace}`);
  for (const { metadata, status } of items) {
    const conditions = status?.parents?.flatMap((parent) => parent.conditions ?? []) ?? [];
    const bad = ['Accepted', 'ResolvedRefs'].find(
      (type) => !conditions.some((condition) => condition.type === type && condition.status === 'True'),
    );
    if (bad) throw new Error(`${metadata.name}: expected ${bad}, the gateway says ${JSON.stringify(conditions)}`);
  }
  return items.length;
}

/** Moves from the Ingress to the Gateway API, at the same address. */
export const gatewayApi: Step = {
  name: 'gateway-api',
  after: ['device'],
  async run(world) {
    const { release } = world;
    await applyFile('gateway.yaml');
    const parent = ['name=public', 'namespace=ingress'].map((text) => `gatewayApi.parentRefs[0].${text}`);
    let routes = 0;
    try {
      const said = await whileWorking(world, 100_000, async () => {
        await release.upgrade('ingress.enabled=false', 'gatewayApi.enabled=true', ...parent);
        await until(async () => (routes = await accepted(release.name)) > 0, ACCEPTED_MS);
      });
      await (await world.signIn()).dispose();
      await world.connected();
      return `${routes} routes accepted; ${said}`;
    } finally {
      await release.upgrade();
    }
  },
};
