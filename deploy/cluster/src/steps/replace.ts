import { isReady, kubectl, type Pod } from '../cluster/kubectl.ts';
import { NODES } from '../cluster/settings.ts';
import { until } from '../cluster/until.ts';
import type { Release } from '../suite/release.ts';
import type { Step } from '../suite/runner.ts';
import { whileWorking } from '../suite/terminals.ts';
import { test } from './install.ts';

const NEW_TAG = 'e2e';
const OLD_TAG = 'from';
const READY_MS = 180_000;

/** @throws unless every pod of the services runs that tag */
async function runs(release: Release, tag: string): Promise<void> {
  const images = await release.kubectl(
    ...['get', 'deployments', '--selector=app.kubernetes.io/part-of=warren'],
    ...['--output=jsonpath={.items[*].spec.template.spec.containers[0].image}'],
  );
  const wrong = images.split(' ').filter((image) => !image.endsWith(`:${tag}`));
  if (images === '' || wrong.length > 0) throw new Error(`expected all images with tag ${tag}: ${images}`);
}

export const upgrade: Step = {
  name: 'upgrade',
  after: ['device'],
  async run(world) {
    const { release } = world;
    const said = await whileWorking(world, 100_000, () => release.upgrade(`image.tag=${NEW_TAG}`));
    await runs(release, NEW_TAG);
    return `${said}; ${await test(world)}`;
  },
};

export const rollback: Step = {
  name: 'rollback',
  after: ['upgrade'],
  async run(world) {
    const { release } = world;
    const said = await whileWorking(world, 100_000, async () => {
      await release.helm('rollback', release.name, '--wait', '--timeout=9m');
      await release.settled();
    });
    await runs(release, OLD_TAG);
    return said;
  },
};

/** Deletes a pod without grace period, like a crash, and waits for its replacement. */
async function killed(release: Release, { metadata }: Pod, component: string): Promise<void> {
  const staying = async () => (await release.pods(component)).filter((pod) => !pod.metadata.deletionTimestamp);
  const before = (await staying()).length;
  await release.kubectl('delete', 'pod', metadata.name, '--grace-period=0', '--force');
  await until(async () => {
    const now = await staying();
    return now.length >= before && now.every((pod) => isReady(pod) && pod.metadata.name !== metadata.name);
  }, READY_MS);
}

export const kill: Step = {
  name: 'kill-pods',
  after: ['device'],
  async run(world) {
    const { release } = world;
    const all = (await release.pods()).filter(isReady);
    const said = await whileWorking(world, 200_000, async () => {
      for (const pod of all) await killed(release, pod, pod.metadata.labels['app.kubernetes.io/component'] ?? '');
    });
    return `${all.length} pods killed; ${said}`;
  },
};

/** The pod of a StatefulSet keeps its name. */
async function serverKilled(release: Release, server: string): Promise<void> {
  const uid = () => release.kubectl('get', 'pod', `${release.name}-${server}-0`, '--output=jsonpath={.metadata.uid}');
  const before = await uid();
  await release.kubectl('delete', 'pod', `${release.name}-${server}-0`, '--grace-period=0', '--force');
  await until(async () => (await uid()) !== before && isReady(await release.pod(server)), READY_MS);
}

export const killServers: Step = {
  name: 'kill-servers',
  after: ['device'],
  async run(world) {
    const said = await whileWorking(world, 100_000, async () => {
      for (const server of ['redis', 'nats', 'postgresql']) await serverKilled(world.release, server);
      await world.release.settled();
    });
    return `redis, nats, postgresql killed; ${said}`;
  },
};

export const drain: Step = {
  name: 'drain',
  after: ['device'],
  async run(world) {
    const { release } = world;
    const node = (await release.pod('tunnels')).spec.nodeName ?? NODES[1];
    const how = ['--ignore-daemonsets', '--delete-emptydir-data', '--force', '--timeout=8m'];
    try {
      const said = await whileWorking(world, 200_000, async () => {
        await kubectl('drain', node, ...how);
        await release.settled();
      });
      const left = (await release.pods()).filter(
        ({ spec, metadata }) => spec.nodeName === node && !metadata.deletionTimestamp,
      );
      if (left.length > 0) throw new Error(`${node}: expected no pods after the drain, ${left.length} are left`);
      return `${node}; ${said}`;
    } finally {
      await kubectl('uncordon', node);
    }
  },
};
