import { beforeAll, describe, expect, it } from '@jest/globals';
import { rendered, type Item } from './chart.ts';
import { openWays, written, type End, type Way } from './reach.ts';

const SERVICES = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'];
const DATABASES = ['identity', 'tenancy', 'devices', 'fleet', 'audit', 'migrate'];
const SERVERS = ['postgresql', 'redis', 'nats'];
const TASKS = ['migrate', 'test', 'doctor', 'secrets'];
const OWN = [...SERVICES, ...TASKS, ...SERVERS];
/** All other ends: in the release's namespace, in others and outside. */
const OTHERS: Record<string, End> = {
  neighbour: { labels: { app: 'other' } },
  'other release': { labels: labels('gateway', 'another') },
  ingress: { labels: { app: 'nginx' }, namespace: 'ingress-nginx' },
  prometheus: { labels: { app: 'prometheus' }, namespace: 'monitoring' },
  namesake: { labels: labels('gateway', 'w'), namespace: 'elsewhere' },
  dns: { labels: { 'k8s-app': 'kube-dns' }, namespace: 'kube-system' },
  'dns of the node': { address: '169.254.20.10' },
  database: { address: '10.20.0.5' },
  internet: { address: '203.0.113.7' },
};
const STRANGERS = Object.keys(OTHERS);
const PODS = STRANGERS.filter((name) => !OTHERS[name]?.address);
const ENDS: Record<string, End> = {
  ...OTHERS,
  ...Object.fromEntries(OWN.map((name) => [name, { labels: labels(name, 'w') }])),
};
const PORTS = [22, 25, 53, 80, 443, 465, 587, 4222, 4318, 5432, 6379, 6380, 6443, 6514, 8080, 8222, 8443, 9080, 9090];
const MAIL = [25, 465, 587];

function labels(component: string, release: string): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'warren',
    'app.kubernetes.io/instance': release,
    'app.kubernetes.io/component': component,
  };
}

/** Every way from any of the ones to any of the others. */
const between = (froms: string[], tos: string[], ports: number[]): Way[] =>
  froms.flatMap((from) => tos.flatMap((to) => ports.map((port): Way => [from, to, port])));

const sorted = (ways: Way[]) => ways.map(written).sort();

/** The ways that are open between these, of all that there could be. */
async function open(items: Item[], froms: string[], tos: string[]): Promise<string[]> {
  return (await openWays(items, ENDS, between(froms, tos, PORTS))).sort();
}

describe('with bundled servers', () => {
  let items: Item[];
  beforeAll(async () => {
    items = await rendered('trying-out');
  });

  it('lets inside exactly those ways that the parts need', async () => {
    const ways: Way[] = [
      ...between([...DATABASES, 'test', 'doctor'], ['postgresql'], [5432]),
      ...between([...SERVICES, 'doctor'], ['redis'], [6379]),
      ...between([...SERVICES, 'doctor'], ['nats'], [4222]),
      ['gateway', 'tunnels', 9090],
      // Replicas pass sockets and pages on to one another.
      ['tunnels', 'tunnels', 9090],
      // Recorders read the terminals that they have claimed.
      ['audit', 'tunnels', 9090],
      // Its test asks as an ingress and as an agent do, and whether each service is ready.
      ['test', 'tunnels', 9090],
      ['test', 'gateway', 8080],
      ...between(['test'], SERVICES, [9080]),
    ];
    expect(await open(items, OWN, OWN)).toEqual(sorted(ways));
  });

  it('lets others in at the public ports alone, and pods at metrics', async () => {
    const ways: Way[] = [
      ...between(STRANGERS, ['gateway'], [8080]),
      ...between(STRANGERS, ['tunnels'], [9090]),
      ...between(PODS, SERVICES, [9080]),
    ];
    expect(await open(items, STRANGERS, OWN)).toEqual(sorted(ways));
  });

  it('lets out to names, to the providers of identity, to webhooks and to mail', async () => {
    const ways: Way[] = [
      ...between([...SERVICES, 'migrate', 'test', 'doctor'], PODS, [53]),
      ...between(['gateway', 'fleet', 'audit', 'doctor'], STRANGERS, [443]),
      ...between(['audit'], STRANGERS, [6514]),
      // The API server has an address of the cluster or of the outside.
      ...between(['secrets'], STRANGERS, [443, 6443]),
      ...between(['tenancy', 'fleet', 'doctor'], STRANGERS, MAIL),
    ];
    expect(await open(items, OWN, STRANGERS)).toEqual(sorted(ways));
  });
});

describe('with ends that are named', () => {
  let items: Item[];
  beforeAll(async () => {
    items = await rendered('production');
  });

  it('admits only the ingress and the monitoring', async () => {
    const ways: Way[] = [
      ['ingress', 'gateway', 8080],
      ['ingress', 'tunnels', 9090],
      ...between(['prometheus'], SERVICES, [9080]),
    ];
    expect(await open(items, STRANGERS, OWN)).toEqual(sorted(ways));
  });

  it('lets out to the servers and the names that are named, and where the values say', async () => {
    const named = [...SERVICES, 'migrate'];
    const ways: Way[] = [
      ...between([...named, 'test', 'doctor'], ['dns', 'dns of the node'], [53]),
      ...between([...named, 'doctor'], ['database'], [4222, 5432, 6380]),
      ...between(['gateway', 'fleet', 'audit', 'doctor'], STRANGERS, [443]),
      ...between(['audit'], STRANGERS, [6514]),
      ...between(['tenancy', 'fleet', 'doctor'], STRANGERS, MAIL),
      // The collector of spans, and what extraEgress adds.
      ...between(named, STRANGERS, [4318]),
      ...between([...named, 'doctor'], STRANGERS, [8443]),
      // What a public address leads to, once the node has put the controller's own address and port in its place.
      ...between(['doctor'], ['ingress'], PORTS),
    ];
    const servers = [...SERVICES, 'migrate', 'test', 'doctor'];
    expect(await open(items, servers, STRANGERS)).toEqual([...new Set(sorted(ways))]);
  });
});
