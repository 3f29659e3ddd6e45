import { describe, expect, it } from '@jest/globals';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { withTable } from '../src/chart/readme.ts';
import { schemaOf } from '../src/chart/schema.ts';
import { readValues } from '../src/chart/values.ts';
import {
  CHART,
  of,
  one,
  rendered,
  renderedFrom,
  ROOT,
  run,
  template,
  templateAgain,
  VERSION,
  type Item,
} from './chart.ts';

const CASES = globSync(`${CHART}/ci/*.yaml`).sort();
const SCHEMAS = join(ROOT, 'helm/schemas/{{ .ResourceKind }}{{ .KindSuffix }}.json');
const container = (workload: Item): Item => workload['spec'].template.spec.containers[0];
const env = (workload: Item): Record<string, Item> =>
  Object.fromEntries(container(workload)['env'].map((variable: Item) => [variable['name'], variable]));

describe('the chart', () => {
  it.each(CASES.map((file) => [basename(file), file]))(
    '%s: is well made, and what Kubernetes takes',
    async (_, file) => {
      await run('helm', 'lint', '--strict', ...VERSION, CHART, '-f', file);
      const folder = await mkdtemp(join(tmpdir(), 'warren-chart-'));
      const output = join(folder, 'rendered.yaml');
      await writeFile(output, await template(file));
      await run('kubeconform', '-strict', '-schema-location', SCHEMAS, output);
      await rm(folder, { recursive: true });
    },
  );

  it.each(CASES.map((file) => [basename(file), file]))('%s: comes out the same, byte for byte', async (_, file) => {
    expect(await templateAgain(file)).toBe(await template(file));
  });

  it('neither asks the cluster nor makes anything at random or by the clock, which Argo CD would apply each time', async () => {
    const files = globSync(`${CHART}/templates/**/*`).filter((file) => /\.(yaml|tpl|txt)$/.test(file));
    expect(files.length).toBeGreaterThan(15);
    for (const file of files) {
      const actions = (await readFile(file, 'utf8')).match(/{{[\s\S]*?}}/g) ?? [];
      for (const action of actions.filter((text) => !/^{{-?\s*\/\*/.test(text)))
        expect([file, action.replaceAll(/"[^"]*"/g, '')]).not.toEqual([
          file,
          expect.stringMatching(
            /\b(lookup|rand\w*|gen[A-Z]\w*|uuidv4|derivePassword|bcrypt|htpasswd|now|ago|dateInZone)\b/,
          ),
        ]);
    }
  });

  it('is held against schemas that refuse what Kubernetes does not know', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-chart-'));
    const file = join(folder, 'wrong.yaml');
    const keda = [
      'defaults.autoscaling.keda.enabled=true',
      'defaults.autoscaling.keda.prometheusUrl=http://prometheus:9090',
    ];
    const more = keda.flatMap((set) => ['--set', set]);
    const text = await template(join(CHART, 'ci/production.yaml'), ...more);
    for (const [right, wrong] of [
      ['terminationGracePeriodSeconds:', 'terminationGraceSeconds:'],
      ['backendRefs:', 'backends:'],
      ['jobLabel:', 'jobLabels:'],
      ['minReplicaCount:', 'minReplicas:'],
    ] as const) {
      const source = right === 'backendRefs:' ? await template(join(CHART, 'ci/cluster-gateway-api.yaml')) : text;
      await writeFile(file, source.replaceAll(right, wrong));
      await expect(run('kubeconform', '-strict', '-schema-location', SCHEMAS, file)).rejects.toThrow(/not allowed/);
    }
    await rm(folder, { recursive: true });
  });

  it('has a schema and a table of values that are current: make chart-docs', async () => {
    const values = readValues(await readFile(join(CHART, 'values.yaml'), 'utf8'));
    const readme = await readFile(join(CHART, 'README.md'), 'utf8');
    expect(await readFile(join(CHART, 'values.schema.json'), 'utf8')).toBe(schemaOf(values));
    expect(withTable(readme, values)).toBe(readme);
  });
});

describe('what it makes', () => {
  it('runs every pod without rights', async () => {
    for (const name of ['production', 'trying-out']) {
      const items = await rendered(name);
      const workloads = ['Deployment', 'StatefulSet', 'Job'].flatMap((kind) => of(items, kind));
      expect(workloads.length).toBeGreaterThan(5);
      const jobs = of(items, 'CronJob').map(({ spec }) => spec.jobTemplate.spec.template);
      for (const { spec } of [...workloads.map(({ spec: { template: pod } }) => pod), ...of(items, 'Pod'), ...jobs]) {
        expect(spec.automountServiceAccountToken).toBe(false);
        expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
        for (const { securityContext, resources } of [...spec.containers, ...(spec.initContainers ?? [])]) {
          const none = {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          };
          expect(securityContext).toEqual(none);
          expect(resources.limits.memory).toBeDefined();
        }
      }
    }
  });

  it('probes, spreads and drains each service, and lets no budget stand in the way of a node', async () => {
    const items = await rendered('production');
    for (const name of ['gateway', 'identity', 'tenancy', 'devices', 'fleet', 'audit', 'tunnels']) {
      const { spec } = one(items, 'Deployment', `w-warren-${name}`);
      const pod = spec.template.spec;
      expect(spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      expect(pod.topologySpreadConstraints).toHaveLength(1);
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        pod.containers[0].lifecycle.preStop.sleep.seconds + 30,
      );
      expect(pod.containers[0].livenessProbe.httpGet.path).toBe('/healthz');
      expect(pod.containers[0].readinessProbe.httpGet.path).toBe('/readyz');
      expect(one(items, 'PodDisruptionBudget', `w-warren-${name}`)['spec'].unhealthyPodEvictionPolicy).toBe(
        'AlwaysAllow',
      );
    }
  });

  it('scales tunnels by its agents, others by CPU, and says no number of pods beside it', async () => {
    const items = await rendered('production');
    const tunnels = one(items, 'HorizontalPodAutoscaler', 'w-warren-tunnels')['spec'];
    expect(tunnels.metrics[0].pods.metric.name).toBe('warren_tunnels_agents_connected');
    expect(tunnels.metrics[0].pods.target.averageValue).toBe('5000');
    expect(one(items, 'HorizontalPodAutoscaler', 'w-warren-gateway')['spec'].metrics[0].resource.name).toBe('cpu');
    expect(one(items, 'Deployment', 'w-warren-tunnels')['spec'].replicas).toBeUndefined();
    expect(one(items, 'Deployment', 'w-warren-identity')['spec'].replicas).toBe(3);
  });

  it('tells services of their servers: TLS, sentinels, a cluster, a user each', async () => {
    const production = await rendered('production');
    const devices = env(one(production, 'Deployment', 'w-warren-devices'));
    expect(devices['DATABASE_CA_FILE']?.['value']).toBe('/etc/warren/postgresql-ca/ca.crt');
    expect(devices['REDIS_CA_FILE']?.['value']).toBe('/etc/warren/redis-ca/ca.crt');
    expect(devices['NATS_USER']?.['value']).toBe('devices');
    expect(devices['NATS_PASSWORD']?.['valueFrom'].secretKeyRef).toEqual({ name: 'nats', key: 'devices' });
    const mounts = container(one(production, 'Deployment', 'w-warren-devices'))['volumeMounts'].map(
      (mount: Item) => mount['mountPath'],
    );
    expect(mounts).toEqual(
      expect.arrayContaining(['/etc/warren/postgresql-ca', '/etc/warren/redis-ca', '/etc/warren/nats-ca', '/more']),
    );
    const gateway = env(one(production, 'Deployment', 'w-warren-gateway'));
    expect(gateway['DATABASE_URL']).toBeUndefined();
    expect(JSON.parse(gateway['SAML_PROVIDERS']?.['value'])[0]).toMatchObject({
      id: 'staff',
      metadata: '/etc/warren/saml/staff.xml',
    });
    expect(JSON.parse(gateway['OIDC_PROVIDERS']?.['value'])).toMatchObject([
      { id: 'guests', clientSecretFile: '/etc/warren/oidc/guests', domains: ['guests.example'] },
    ]);
    expect(container(one(production, 'Deployment', 'w-warren-gateway'))['volumeMounts']).toContainEqual(
      expect.objectContaining({ mountPath: '/etc/warren/oidc', readOnly: true }),
    );
    const sentinel = env(one(await rendered('sentinel-traefik'), 'Deployment', 'w-warren-tunnels'));
    expect(sentinel['REDIS_MODE']?.['value']).toBe('sentinel');
    expect(sentinel['REDIS_NODES']?.['value']).toBe('sentinel-0:26379,sentinel-1:26379,sentinel-2:26379');
    const cluster = env(one(await rendered('cluster-gateway-api'), 'Deployment', 'hub-tunnels'));
    expect(cluster['REDIS_MODE']?.['value']).toBe('cluster');
  });

  it('migrates before anything changes, or beside the services where the database comes with them', async () => {
    const hooks = one(await rendered('production'), 'Job', 'w-warren-migrate')['metadata'].annotations;
    expect(hooks['helm.sh/hook']).toBe('pre-install,pre-upgrade');
    const beside = one(await rendered('trying-out'), 'Job', 'w-warren-migrate-1');
    // Argo CD replaces it, as its revision is always 1 and a Job can't be changed.
    expect(beside['metadata'].annotations).toEqual({
      'argocd.argoproj.io/hook': 'Sync',
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
    });
    expect(env(beside)['ADMIN_DATABASE_URL']).toBeDefined();
  });

  it('restarts no bundled server for another version of Warren', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-chart-'));
    try {
      const file = join(folder, 'Chart.yaml');
      await cp(CHART, folder, { recursive: true });
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.replaceAll(/^(version|appVersion): .*$/gm, "$1: '9.9.9'"));
      const pods = async (chart: string) =>
        of(await renderedFrom(chart, 'trying-out'), 'StatefulSet').map(({ spec }) => spec.template);
      const now = await pods(CHART);
      expect(now).toHaveLength(3);
      expect(await pods(folder)).toEqual(now);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('denies all traffic that it does not name', async () => {
    const items = await rendered('trying-out');
    expect(one(items, 'NetworkPolicy', 'w-warren-default-deny')['spec']).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
    });
    const callers = one(items, 'NetworkPolicy', 'w-warren-postgresql')['spec'].ingress[0].from.map(
      (peer: Item) => peer['podSelector'].matchLabels['app.kubernetes.io/component'],
    );
    expect(callers).toEqual(['identity', 'tenancy', 'devices', 'fleet', 'audit', 'migrate', 'test', 'doctor']);
    const components = new Set(
      of(items, 'NetworkPolicy').map(({ metadata }) => metadata.labels['app.kubernetes.io/component']),
    );
    for (const { spec } of ['Deployment', 'StatefulSet', 'Job'].flatMap((kind) => of(items, kind)))
      expect(components).toContain(spec.template.metadata.labels['app.kubernetes.io/component']);
  });

  it('signs a test identity in only where that is asked for, and gives the gateway no key for it', async () => {
    const plain = await rendered('production');
    expect(JSON.stringify(plain)).not.toContain('installation-test');
    expect(one(plain, 'Pod', 'w-warren-test')['spec'].initContainers).toBeUndefined();
    const asked = await rendered('trying-out');
    const gateway = one(asked, 'Deployment', 'w-warren-gateway');
    const provider = JSON.parse(env(gateway)['SAML_PROVIDERS']?.['value']).at(-1);
    expect(provider).toMatchObject({ domains: ['installation-test.invalid'], listed: false });
    const volume = gateway['spec'].template.spec.volumes.find(({ name }: Item) => name === 'test-identity');
    expect(volume.secret.items).toEqual([{ key: 'metadata.xml', path: 'metadata.xml' }]);
    const [keeper] = one(asked, 'Pod', 'w-warren-test')['spec'].initContainers;
    expect(keeper).toMatchObject({ restartPolicy: 'Always', args: ['dist/test-account.js'] });
  });

  it('keeps a doctor at hand that knows what the services know, and runs it by a schedule where there is one', async () => {
    const items = await rendered('production', '--set', 'doctor.caSecret=hub-ca');
    const doctor = one(items, 'CronJob', 'w-warren-doctor')['spec'];
    expect(doctor.suspend).toBe(true);
    const variables = env(doctor.jobTemplate);
    const gateway = env(one(items, 'Deployment', 'w-warren-gateway'));
    for (const name of [
      'HUB_URL',
      'DEVICE_DOMAIN',
      'SAML_PROVIDERS',
      'OIDC_PROVIDERS',
      'REDIS_URL',
      'NATS_URL',
      'NATS_CERT_FILE',
    ])
      expect(variables[name]?.['value']).toBe(gateway[name]?.['value']);
    expect(variables['NATS_PASSWORD']?.['valueFrom'].secretKeyRef).toEqual({ name: 'nats', key: 'doctor' });
    expect(variables['TENANCY_DATABASE_URL']?.['valueFrom'].secretKeyRef.key).toBe('tenancy-url');
    const files = Object.entries(variables).filter(([name]) => name.endsWith('_FILE'));
    expect(files).toHaveLength(6);
    const mounts = container(doctor.jobTemplate)['volumeMounts'].map((mount: Item) => mount['mountPath']);
    for (const [, { value }] of files as [string, Item][]) expect(mounts).toContain(dirname(value));
    const scheduled = one(
      await rendered('production', '--set', 'doctor.schedule=0 5 * * *'),
      'CronJob',
      'w-warren-doctor',
    );
    const tried = one(await rendered('trying-out'), 'CronJob', 'w-warren-doctor')['spec'].jobTemplate;
    expect(env(tried)['SAML_PROVIDERS']?.['value']).not.toContain('installation-test');
    expect(scheduled['spec']).toMatchObject({ suspend: false, schedule: '0 5 * * *' });
  });
});
