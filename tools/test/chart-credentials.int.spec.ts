import { describe, expect, it } from '@jest/globals';
import { of, one, rendered, type Item } from './chart.ts';

const SERVICES = ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels'] as const;
const DATABASES = ['identity', 'tenancy', 'devices', 'fleet', 'audit'] as const;
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
      bundled(`nats-${name}`, `redis-${name}`, `caller-${name}`, 'caller-keys', 'unsigned-calls', ...more);
    const urls = DATABASES.map((name) => `${name}-url`);
    expect(await credentials('trying-out')).toEqual(
      sorted({
        gateway: [...service('gateway'), 'w-warren-test-identity/metadata.xml'],
        identity: service('identity', 'session-key', 'identity-url'),
        tenancy: [...service('tenancy', 'tenancy-url'), 'mail/smtp-url'],
        devices: service('devices', 'devices-url'),
        fleet: [...service('fleet', 'channel-key', 'fleet-url'), 'mail/smtp-url'],
        audit: service('audit', 'audit-key', 'audit-url', 'channel-key'),
        tunnels: service('tunnels'),
        doctor: [...bundled('nats-doctor', 'redis-doctor', ...urls), 'mail/smtp-url'],
        migrate: bundled('admin-url', ...urls),
        secrets: [],
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
      ...['--set', 'fleet.remoteWrite.url=https://p.example.com/', '--set', 'fleet.remoteWrite.user=tenant-1'],
      ...['--set', 'fleet.remoteWrite.existingSecret=remote-write'],
      ...['--set', 'audit.recordings.s3.bucket=recordings', '--set', 'audit.recordings.s3.existingSecret=s3'],
    );
    const authorities = ['redis-ca/*', 'nats-ca/*', 'nats-client/*'];
    const service = (name: string, ...more: string[]) => [
      ...[`nats/${name}`, `redis/redis-${name}`, `callers/${name}`, 'callers/keys', ...authorities],
      ...more,
    ];
    const urls = DATABASES.map((name) => `databases/${name}-url`);
    expect(all).toEqual(
      sorted({
        gateway: service('gateway', 'oidc-clients/*', 'saml-signing/*', 'saml-decryption/*'),
        identity: service('identity', 'callers/session-key', 'databases/identity-url', 'database-ca/*'),
        tenancy: service('tenancy', 'databases/tenancy-url', 'database-ca/*', 'mail/smtp-url'),
        devices: service('devices', 'databases/devices-url', 'database-ca/*'),
        fleet: service(
          'fleet',
          ...['callers/channel-key', 'databases/fleet-url', 'database-ca/*', 'mail/smtp-url', 'remote-write/password'],
        ),
        audit: service(
          'audit',
          'callers/audit-key',
          'callers/channel-key',
          'databases/audit-url',
          'database-ca/*',
          's3/access-key-id',
          's3/secret-access-key',
        ),
        tunnels: service('tunnels'),
        doctor: ['nats/doctor', 'redis/redis-doctor', ...urls, 'database-ca/*', 'mail/smtp-url', ...authorities],
        migrate: ['databases/admin-url', ...urls, 'database-ca/*'],
        test: ['database-ca/*'],
      }),
    );
  });

  it('of a database behind a pooler: migrations alone get the addresses past it', async () => {
    const pooled = await credentials('production', '--set', 'postgresql.migrationSecret=direct');
    const urls = DATABASES.map((name) => `direct/${name}-url`);
    expect(pooled['migrate']).toEqual(['database-ca/*', 'direct/admin-url', ...urls].sort());
    expect(pooled['devices']).toContain('databases/devices-url');
  });

  it('are in no object of the chart: a Job creates them with rights to two Secrets, which it loses when it is done', async () => {
    const items = await rendered('trying-out');
    expect(of(items, 'Secret')).toEqual([]);
    const made = ['ServiceAccount', 'Role', 'RoleBinding', 'NetworkPolicy', 'Job'].map((kind) =>
      one(items, kind, 'w-warren-secrets'),
    );
    for (const { metadata } of made)
      expect(metadata.annotations).toEqual({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-weight': '-5',
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      });
    expect(one(items, 'Role', 'w-warren-secrets')['rules']).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
      {
        apiGroups: [''],
        resources: ['secrets'],
        verbs: ['get', 'patch'],
        resourceNames: ['w-warren-bundled', 'w-warren-test-identity'],
      },
    ]);
    // No other pod has a token.
    const tokens = podsOf(items).filter(([, pod]) => JSON.stringify(pod).includes('serviceAccountToken'));
    expect(tokens.map(([component]) => component)).toEqual(['secrets']);
    const plain = await rendered('production');
    expect([...of(plain, 'Role'), ...of(plain, 'Job', 'w-warren-secrets')]).toEqual([]);
  });
});
