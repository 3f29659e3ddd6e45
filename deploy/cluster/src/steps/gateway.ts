import { applyFile } from '../cluster/addons.ts';
import { get } from '../cluster/kubectl.ts';
import { until } from '../cluster/until.ts';
import type { Step } from '../suite/runner.ts';
import { whileWorking } from '../suite/terminals.ts';

const PORT = 9443;
const ACCEPTED_MS = 120_000;

interface Route {
  metadata: { name: string };
  status?: { parents?: { conditions?: { type: string; status: string; message: string }[] }[] };
}

/** @throws with what the controller says of a route that it does not take */
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

/** Routes of the Gateway API beside those of the ingress, and people who come by them alone. */
export const gatewayApi: Step = {
  name: 'gateway-api',
  after: ['device'],
  async run(world) {
    const { release } = world;
    await applyFile('gateway.yaml');
    const parent = ['name=public', 'namespace=ingress'].map((text) => `gatewayApi.parentRefs[0].${text}`);
    await release.upgrade('gatewayApi.enabled=true', ...parent);
    let routes = 0;
    await until(async () => (routes = await accepted(release.name)) > 0, ACCEPTED_MS);
    const before = world.entry;
    world.entry = { ...before, port: PORT };
    try {
      await (await world.signIn()).dispose();
      const said = await whileWorking(world, 20_000, () => Promise.resolve());
      return `${routes} routes accepted; signed in by them; ${said}`;
    } finally {
      world.entry = before;
      await release.upgrade();
    }
  },
};
