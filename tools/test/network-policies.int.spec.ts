import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { of, rendered, type Item } from './chart.ts';
import { reaches, type End } from './reach.ts';

// Helm is a process for each rendering, and a machine that is busy takes its time.
jest.setTimeout(60_000);

const SERVICES = ['gateway', 'identity', 'tenancy', 'devices', 'tunnels'];
const DATABASES = ['identity', 'tenancy', 'devices', 'migrate'];
const SERVERS = { postgresql: 5432, redis: 6379, nats: 4222 };
const namespace = (name: string) => ({ 'kubernetes.io/metadata.name': name });

const ENDS: Record<string, End> = {
  stranger: { labels: { app: 'other' } },
  ingress: { labels: { app: 'nginx' }, namespace: namespace('ingress-nginx') },
  prometheus: { labels: { app: 'prometheus' }, namespace: namespace('monitoring') },
  dns: { labels: { app: 'dns' }, namespace: namespace('kube-system') },
};

function end(name: string): End {
  const own = { 'app.kubernetes.io/name': 'warren', 'app.kubernetes.io/instance': 'w' };
  return ENDS[name] ?? { labels: { ...own, 'app.kubernetes.io/component': name } };
}

/** All that may be: [from, to, port]. */
type Way = [from: string, to: string, port: number];

/** Every way between any two of the names, to any of the ports, that the policies leave open. */
function open(policies: Item[], names: string[], ports: number[]): string[] {
  const ways = names.flatMap((from) => names.flatMap((to) => ports.map((port): Way => [from, to, port])));
  return ways
    .filter(([from, to, port]) => from !== to || port !== 9080)
    .filter(([from, to, port]) => reaches(policies, end(from), end(to), port))
    .map(([from, to, port]) => `${from} > ${to}:${port}`)
    .sort();
}

const written = (ways: Way[]) => ways.map(([from, to, port]) => `${from} > ${to}:${port}`).sort();

describe('with servers of its own', () => {
  const names = [...SERVICES, 'migrate', 'test', ...Object.keys(SERVERS)];
  let policies: Item[];
  beforeAll(async () => {
    policies = of(await rendered('trying-out'), 'NetworkPolicy');
  });

  it('lets inside exactly those ways that the parts need', () => {
    const ways: Way[] = [
      ...[...DATABASES, 'test'].map((from): Way => [from, 'postgresql', 5432]),
      ...SERVICES.flatMap((from): Way[] => [
        [from, 'redis', 6379],
        [from, 'nats', 4222],
      ]),
      ['gateway', 'tunnels', 9090],
      ['tunnels', 'tunnels', 9090],
      // Its test asks as an ingress and as an agent do, and whether each service is ready.
      ['test', 'tunnels', 9090],
      ['test', 'gateway', 8080],
      ...SERVICES.map((to): Way => ['test', to, 9080]),
    ];
    expect(open(policies, names, [5432, 6379, 4222, 8080, 9080, 9090])).toEqual(written(ways));
  });

  it('lets nobody else at the servers, and in from anywhere at the public ports', () => {
    for (const from of ['stranger', 'ingress'])
      for (const [to, port] of Object.entries(SERVERS)) expect(reaches(policies, end(from), end(to), port)).toBe(false);
    expect(reaches(policies, end('ingress'), end('gateway'), 8080)).toBe(true);
    expect(reaches(policies, end('ingress'), end('tunnels'), 9090)).toBe(true);
  });

  it('lets all ask for names', () => {
    for (const from of [...SERVICES, 'migrate', 'test'])
      expect(reaches(policies, end(from), end('dns'), 53)).toBe(true);
  });
});

describe('with ends that are named', () => {
  let policies: Item[];
  beforeAll(async () => {
    policies = of(await rendered('production'), 'NetworkPolicy');
  });

  it('lets in the ingress, the test and what watches, and nobody else', () => {
    const into = (from: string): string[] =>
      SERVICES.flatMap((to) =>
        [8080, 9080, 9090].filter((port) => reaches(policies, end(from), end(to), port)).map((port) => `${to}:${port}`),
      );
    expect(into('ingress')).toEqual(['gateway:8080', 'tunnels:9090']);
    expect(into('prometheus')).toEqual(SERVICES.map((name) => `${name}:9080`));
    expect(into('stranger')).toEqual([]);
    expect(into('test')).toEqual(
      ['gateway:8080', ...SERVICES.map((name) => `${name}:9080`), 'tunnels:9090'].sort(byService),
    );
  });
});

/** In the order of the services, then of the ports. */
function byService(a: string, b: string): number {
  const [[one = '', port = ''], [two = '', other = '']] = [a.split(':'), b.split(':')];
  return SERVICES.indexOf(one) - SERVICES.indexOf(two) || Number(port) - Number(other);
}
