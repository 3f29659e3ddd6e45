import { applyFile } from '../cluster/addons.ts';
import { until } from '../cluster/until.ts';
import { dryRun, kubectl, pods } from '../cluster/kubectl.ts';
import { probe } from '../suite/probe.ts';
import { Release } from '../suite/release.ts';
import type { Step } from '../suite/runner.ts';
import type { Kit } from '../suite/release.ts';
import type { World } from '../suite/world.ts';
import { secretsOf, startServers } from './external/servers.ts';

const USER = 1_000_680_000;

/** Installs, tests and removes an installation beside the one of the other steps. */
async function tried(
  release: Release,
  { kit, bundled }: { kit: Kit; bundled: boolean },
  before: () => Promise<void>,
  look: () => Promise<string>,
): Promise<string> {
  try {
    await release.prepare(kit, 'restricted', bundled ? 3 : 0);
    await before();
    await release.upgrade();
    const said = await release.helm('test', release.name, '--logs', '--timeout=8m');
    const checks = said.split('\n').filter((line) => line.startsWith('ok ')).length;
    return `${await look()}; ${checks} checks`;
  } finally {
    await release.remove();
  }
}

async function users(release: Release): Promise<string> {
  const all = await pods(release.name, `app.kubernetes.io/instance=${release.name}`);
  const wrong = all.filter(({ spec }) => spec.securityContext?.runAsUser !== USER);
  if (wrong.length > 0)
    throw new Error(`expected user ${USER}: ${wrong.map(({ metadata }) => metadata.name).join(', ')}`);
  return `${all.length} pods as user ${USER}`;
}

export const arbitraryUsers: Step = {
  name: 'arbitrary-users',
  async run({ kit }: World) {
    await applyFile('arbitrary-users.yaml');
    const release = new Release('arbitrary', ['bundled', 'arbitrary']);
    // A policy takes effect with a short delay.
    const asked = JSON.stringify(probe('users', { namespace: release.name }));
    const before = () => until(async () => (await dryRun(asked)).includes(`${USER}`), 30_000);
    return tried(release, { kit, bundled: true }, before, () => users(release));
  },
};

export const externalServers: Step = {
  name: 'external-tls',
  async run({ kit, folder }: World) {
    const release = new Release('external', ['bundled', 'external']);
    const servers = await startServers(folder);
    try {
      const before = () => secretsOf(servers, release.name);
      return await tried(release, { kit, bundled: false }, before, () => servers.look());
    } finally {
      await kubectl('delete', 'namespace', 'servers', '--timeout=120s');
    }
  },
};
