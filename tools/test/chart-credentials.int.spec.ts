import { describe, expect, it, jest } from '@jest/globals';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { of, one, rendered, type Item } from './chart.ts';

// Helm is a process for each rendering, and a machine that is busy takes its time.
jest.setTimeout(60_000);

const SERVICES = ['gateway', 'identity', 'tenancy', 'devices', 'tunnels'] as const;
const DATABASES = ['identity', 'tenancy', 'devices'] as const;
const USERS = [...SERVICES, 'doctor'] as const;

/** The pods that the chart makes, by component. */
function podsOf(items: Item[]): [string, Item][] {
  const templates = [
    ...['Deployment', 'StatefulSet', 'Job'].flatMap((kind) => of(items, kind)).map(({ spec }) => spec.template),
    ...of(items, 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template),
    ...of(items, 'Pod'),
  ];
  return templates.map(({ metadata, spec }) => [metadata.labels['app.kubernetes.io/component'], spec]);
}

/** What a pod gets of Secrets, as `secret/key`; `secret/*` for all keys. */
function credentialsOf(pod: Item): string[] {
  const containers: Item[] = [...pod['containers'], ...(pod['initContainers'] ?? [])];
  const variables = containers.flatMap(({ env = [] }) => env).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
  const whole = containers.flatMap(({ envFrom = [] }) => envFrom).flatMap(({ secretRef }) => secretRef ?? []);
  const volumes: Item[] = (pod['volumes'] ?? []).flatMap(({ secret }: Item) => secret ?? []);
  const mounted = volumes.flatMap(({ secretName, items = [{ key: '*' }] }) =>
    items.map(({ key }: Item) => `${secretName}/${key}`),
  );
  const named = [...variables.map(({ name, key }) => `${name}/${key}`), ...whole.map(({ name }) => `${name}/*`)];
  return [...new Set([...named, ...mounted])].sort();
}

async function credentials(name: string, ...more: string[]): Promise<Record<string, string[]>> {
  const pods = podsOf(await rendered(name, ...more));
  const found = Object.fromEntries(pods.map(([component, pod]) => [component, credentialsOf(pod)]));
  expect(Object.keys(found)).toHaveLength(pods.length);
  return found;
}

const sorted = (expected: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(expected).map(([component, keys]) => [component, keys.sort()]));

describe('credentials', () => {
  it('of bundled servers: each pod gets its own alone', async () => {
    const bundled = (...keys: string[]) => keys.map((key) => `w-warren-bundled/${key}`);
    const service = (name: string, ...more: string[]) =>
      bundled(`nats-${name}`, `redis-${name}`, `caller-${name}`, 'caller-keys', ...more);
    const urls = DATABASES.map((name) => `${name}-url`);
    expect(await credentials('trying-out')).toEqual(
      sorted({
        gateway: [...service('gateway'), 'w-warren-test-identity/metadata.xml'],
        identity: service('identity', 'session-key', 'identity-url'),
        tenancy: [...service('tenancy', 'tenancy-url'), 'mail/smtp-url'],
        devices: service('devices', 'devices-url'),
        tunnels: service('tunnels'),
        doctor: bundled('nats-doctor', 'redis-doctor', ...urls),
        migrate: bundled('admin-url', ...urls),
        test: [...bundled('tenancy-url'), 'w-warren-test-identity/tls.crt', 'w-warren-test-identity/tls.key'],
        postgresql: bundled('postgres-password'),
        redis: bundled('redis-password', ...USERS.map((name) => `redis-${name}`)),
        nats: bundled(...USERS.map((name) => `nats-${name}`)),
      }),
    );
  });

  it('of servers of your own: each service gets its own alone', async () => {
    const all = await credentials(
      'production',
      ...['--set', 'redis.userPerService=true', '--set', 'redis.user=', '--set', 'callers.existingSecret=callers'],
    );
    const authorities = ['redis-ca/*', 'nats-ca/*', 'nats-client/*'];
    const service = (name: string, ...more: string[]) => [
      ...[`nats/${name}`, `redis/redis-${name}`, `callers/${name}`, 'callers/keys', ...authorities],
      ...more,
    ];
    const urls = DATABASES.map((name) => `databases/${name}-url`);
    expect(all).toEqual(
      sorted({
        gateway: service('gateway', 'saml-signing/*', 'saml-decryption/*'),
        identity: service('identity', 'callers/session-key', 'databases/identity-url', 'database-ca/*'),
        tenancy: service('tenancy', 'databases/tenancy-url', 'database-ca/*', 'mail/smtp-url'),
        devices: service('devices', 'databases/devices-url', 'database-ca/*'),
        tunnels: service('tunnels'),
        doctor: ['nats/doctor', 'redis/redis-doctor', ...urls, 'database-ca/*', ...authorities],
        migrate: ['databases/admin-url', ...urls, 'database-ca/*'],
        test: ['database-ca/*'],
      }),
    );
  });

  it('that the chart makes are all different, and of the keys of calls only public halves are shared', async () => {
    const { data } = one(await rendered('trying-out'), 'Secret', 'w-warren-bundled') as Item;
    const value = (key: string) => Buffer.from(data[key], 'base64').toString();
    const keys = Object.keys(data).filter((key) => !key.endsWith('-url'));
    expect(new Set(keys.map(value)).size).toBe(keys.length);
    const spki = { format: 'pem', type: 'spki' } as const;
    const listed = value('caller-keys')
      .split(',')
      .map((entry) => entry.split(/=(.*)/s, 2))
      .map(([name, der = '']) => [name, new X509Certificate(Buffer.from(der, 'base64')).publicKey.export(spki)]);
    const own = SERVICES.map((name) => [name, createPublicKey(value(`caller-${name}`)).export(spki)]);
    expect(listed).toEqual(own);
    for (const name of DATABASES)
      expect(value(`${name}-url`)).toContain(`warren_${name}:${value(`postgres-${name}`)}@`);
  });
});
