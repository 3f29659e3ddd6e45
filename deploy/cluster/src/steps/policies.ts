import { applyFile } from '../cluster/addons.ts';
import { addressOf } from '../cluster/docker.ts';
import { apply, kubectl } from '../cluster/kubectl.ts';
import { CONTROL } from '../cluster/settings.ts';
import { until } from '../cluster/until.ts';
import { SERVICES, type Release } from '../suite/release.ts';
import type { Step } from '../suite/runner.ts';
import { probe } from '../suite/probe.ts';

const ALONE = 'warren';
const USER = 10_001;
const SETTLE_MS = 60_000;

const own = (component: string) => ({
  'app.kubernetes.io/name': 'warren',
  'app.kubernetes.io/instance': ALONE,
  'app.kubernetes.io/component': component,
});

/** Client pods by name, with the namespace and labels that policies select. */
const callers = {
  stranger: { namespace: 'strangers', labels: { app: 'stranger' } },
  bystander: { namespace: ALONE, labels: { app: 'bystander' } },
  prometheus: { namespace: 'monitoring', labels: { app: 'prometheus' } },
  ingress: { namespace: 'ingress', labels: { app: 'probe' } },
  ...Object.fromEntries(
    ['gateway', 'identity', 'tunnels', 'doctor'].map((name) => [name, { namespace: ALONE, labels: own(name) }]),
  ),
} as Record<string, { namespace: string; labels: Record<string, string> }>;

const servers = { postgresql: 5432, redis: 6379, nats: 4222 };
const metrics = SERVICES.map((name) => `${name}:9080`);

/** The chart's policies cover only its own pods, not access to the API server. */
const API = 'api:6443';

/** Ports that are open to each client; all others of `doors` are closed. */
const open: Record<string, string[]> = {
  stranger: [API],
  bystander: [API],
  prometheus: [...metrics, API],
  ingress: ['gateway:8080', 'tunnels:9090', API],
  gateway: ['tunnels:9090', 'redis:6379', 'nats:4222'],
  tunnels: ['tunnels:9090', 'redis:6379', 'nats:4222'],
  identity: ['postgresql:5432', 'redis:6379', 'nats:4222'],
  doctor: ['postgresql:5432', 'redis:6379', 'nats:4222'],
};
const doors = [
  ...metrics,
  'gateway:8080',
  'tunnels:9090',
  ...Object.entries(servers).map(([name, port]) => `${name}:${port}`),
  API,
];

/** The address of each port. */
async function addresses(release: Release): Promise<Record<string, string>> {
  const names = [...SERVICES, ...Object.keys(servers)];
  const found = await Promise.all(names.map(async (name) => [name, (await release.pod(name)).status.podIP ?? '']));
  return { ...Object.fromEntries(found), api: await addressOf(CONTROL) } as Record<string, string>;
}

/** Finds the ports that a client can connect to, by trying all concurrently. */
async function knock(name: string, at: Record<string, string>): Promise<string[]> {
  const tries = doors.map((door) => {
    const [host = '', port = ''] = door.split(':');
    return `(nc -z -w 3 ${at[host]} ${port} 2>/dev/null && echo ${door}) &`;
  });
  const script = `${tries.join('\n')}\nwait`;
  const said = await kubectl(
    'exec',
    `--namespace=${callers[name]?.namespace}`,
    `probe-${name}`,
    '--',
    'sh',
    '-c',
    script,
  );
  return said.split('\n').filter(Boolean).sort();
}

async function look(at: Record<string, string>): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, expected] of Object.entries(open)) {
    const through = await knock(name, at);
    for (const door of doors) {
      const [is, should] = [through.includes(door), expected.includes(door)];
      if (is !== should) wrong.push(`${name} > ${door} is ${is ? 'open' : 'shut'}`);
    }
  }
  return wrong;
}

export const policies: Step = {
  name: 'policies',
  after: ['install'],
  async run({ release }) {
    await applyFile('probes.yaml');
    await apply(...Object.entries(callers).map(([name, where]) => probe(name, { ...where, user: USER })));
    try {
      for (const [name, { namespace }] of Object.entries(callers)) {
        await kubectl(
          'wait',
          '--for=jsonpath={.status.phase}=Running',
          `pod/probe-${name}`,
          `--namespace=${namespace}`,
          '--timeout=90s',
        );
      }
      const at = await addresses(release);
      let wrong: string[] = [];
      await until(async () => (wrong = await look(at)).length === 0, SETTLE_MS).catch(() => undefined);
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return `${doors.length * Object.keys(callers).length} ways as the chart means them`;
    } finally {
      for (const [name, { namespace }] of Object.entries(callers)) {
        await kubectl('delete', 'pod', `probe-${name}`, `--namespace=${namespace}`, '--force', '--grace-period=0');
      }
    }
  },
};
