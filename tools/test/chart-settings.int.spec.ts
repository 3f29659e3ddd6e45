import { describe, expect, it } from '@jest/globals';
import { of, one, podOf, rendered, renderedWith, SERVICES, type Item } from './chart.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const imageOf = (items: Item[], service: string): string => podOf(items, service)['containers'][0].image;

describe('images', () => {
  it('come from the registry of the service, else of all images, else of all charts', async () => {
    const items = await renderedWith('trying-out', {
      global: { imageRegistry: 'global.example.com', imagePullSecrets: [{ name: 'global' }] },
      image: { pullSecrets: [{ name: 'own' }] },
      gateway: { image: { registry: 'gateway.example.com:5000', tag: '9' } },
      tunnels: { image: { repository: 'forks/tunnels', digest: DIGEST, tag: '9', pullPolicy: 'Always' } },
      redis: { image: 'redis.example.com/redis:7' },
    });
    expect(imageOf(items, 'identity')).toBe('global.example.com/warren/identity:0.1.0');
    expect(imageOf(items, 'gateway')).toBe('gateway.example.com:5000/warren/gateway:9');
    expect(imageOf(items, 'tunnels')).toBe(`global.example.com/forks/tunnels@${DIGEST}`);
    expect(podOf(items, 'tunnels')['containers'][0].imagePullPolicy).toBe('Always');
    expect(podOf(items, 'identity')['imagePullSecrets']).toEqual([{ name: 'own' }, { name: 'global' }]);
    const server = (name: string) => one(items, 'StatefulSet', `w-warren-${name}`)['spec'].template.spec.containers[0];
    expect(server('postgresql').image).toBe('global.example.com/postgres:17');
    expect(server('redis').image).toBe('redis.example.com/redis:7');
    const over = await renderedWith('trying-out', {
      global: { imageRegistry: 'global.example.com' },
      image: { registry: 'own.example.com' },
    });
    expect(imageOf(over, 'devices')).toBe('own.example.com/warren/devices:0.1.0');
  });

  it('of Jobs, of the packages and of backups are chosen in the same way', async () => {
    const items = await renderedWith('backup', {
      migrations: { image: { digest: DIGEST } },
      gateway: { packages: { image: { tag: 'p' } } },
      doctor: { image: { tag: 'd' } },
    });
    const job = one(items, 'Job', 'w-warren-migrate')['spec'].template.spec;
    expect(job.containers[0].image).toBe(`warren/migrate@${DIGEST}`);
    expect(podOf(items, 'gateway')['initContainers'][0].image).toBe('warren/packages:p');
    const cron = (name: string) => one(items, 'CronJob', name)['spec'].jobTemplate.spec.template.spec.containers[0];
    expect(cron('w-warren-doctor').image).toBe('warren/doctor:d');
    expect(cron('w-warren-backup').image).toBe('warren/backup:0.1.0');
  });
});

describe('settings of pods', () => {
  it('are those of the service, over those of all services', async () => {
    const items = await renderedWith('production', {
      defaults: {
        podLabels: { a: 'all', b: 'all' },
        deploymentLabels: { d: 'all' },
        nodeSelector: { pool: 'all', disk: 'ssd' },
        tolerations: [{ key: 'all' }],
        extraEnv: [{ name: 'ALL', value: '1' }],
        hostAliases: [{ ip: '10.0.0.1', hostnames: ['db'] }],
        dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
        runtimeClassName: 'gvisor',
        revisionHistoryLimit: 3,
        extraContainers: [{ name: 'sidecar', image: 's:1' }],
        readinessProbe: { periodSeconds: 7 },
      },
      tunnels: {
        podLabels: { b: 'own' },
        deploymentAnnotations: { own: 'yes' },
        nodeSelector: { pool: 'tunnels' },
        tolerations: [{ key: 'own' }],
        extraEnv: [{ name: 'OWN', value: '1' }],
        extraVolumes: [{ name: 'own', emptyDir: {} }],
        extraInitContainers: [{ name: 'first', image: 'f:1' }],
        priorityClassName: 'highest',
        terminationGracePeriodSeconds: 120,
        strategy: { type: 'Recreate' },
        livenessProbe: { failureThreshold: 9 },
      },
    });
    const tunnels = one(items, 'Deployment', 'w-warren-tunnels');
    const { metadata, spec: pod } = tunnels['spec'].template;
    expect(metadata.labels).toMatchObject({ a: 'all', b: 'own' });
    expect(tunnels['metadata']).toMatchObject({ labels: { d: 'all' }, annotations: { own: 'yes' } });
    expect(tunnels['spec']).toMatchObject({ revisionHistoryLimit: 3, strategy: { type: 'Recreate' } });
    expect(tunnels['spec'].strategy.rollingUpdate).toBeUndefined();
    expect(pod).toMatchObject({
      nodeSelector: { pool: 'tunnels' },
      tolerations: [{ key: 'own' }],
      priorityClassName: 'highest',
      runtimeClassName: 'gvisor',
      terminationGracePeriodSeconds: 120,
      dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
      hostAliases: [{ ip: '10.0.0.1' }],
      initContainers: [{ name: 'first' }],
    });
    expect(pod.nodeSelector.disk).toBeUndefined();
    const [own, sidecar] = pod.containers;
    expect(sidecar.name).toBe('sidecar');
    expect(own.env.map(({ name }: Item) => name)).toEqual(expect.arrayContaining(['ALL', 'OWN']));
    expect(own.readinessProbe).toMatchObject({ periodSeconds: 7, timeoutSeconds: 3, failureThreshold: 2 });
    expect(own.livenessProbe).toMatchObject({ periodSeconds: 10, failureThreshold: 9 });
    expect(pod.volumes.map(({ name }: Item) => name)).toEqual(expect.arrayContaining(['more', 'own']));
    const gateway = podOf(items, 'gateway');
    expect(gateway).toMatchObject({ tolerations: [{ key: 'all' }], priorityClassName: 'high' });
    expect(gateway['containers'][0].env.map(({ name }: Item) => name)).not.toContain('OWN');
    const job = one(items, 'Job', 'w-warren-migrate')['spec'].template.spec;
    expect(job).toMatchObject({ nodeSelector: { pool: 'all', disk: 'ssd' }, hostAliases: [{ ip: '10.0.0.1' }] });
  });

  it('change the security contexts, and take settings out that a platform chooses itself', async () => {
    const none = { runAsUser: null, runAsGroup: null, fsGroup: null };
    const items = await renderedWith('trying-out', {
      defaults: { podSecurityContext: none },
      tunnels: { containerSecurityContext: { seLinuxOptions: { level: 's0' } } },
      redis: { podSecurityContext: none },
    });
    for (const service of SERVICES)
      expect(podOf(items, service)['securityContext']).toEqual({
        runAsNonRoot: true,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      });
    expect(podOf(items, 'tunnels')['containers'][0].securityContext).toMatchObject({
      seLinuxOptions: { level: 's0' },
      readOnlyRootFilesystem: true,
    });
    const server = (name: string) => one(items, 'StatefulSet', `w-warren-${name}`)['spec'].template.spec;
    expect(server('postgresql').securityContext.runAsUser).toBe(999);
    expect(server('redis').securityContext.runAsUser).toBeUndefined();
  });

  it('name a service account that exists, and make none then', async () => {
    const items = await renderedWith('trying-out', {
      defaults: { serviceAccountName: 'shared' },
      tunnels: { serviceAccountName: 'tunnels' },
    });
    const accounts = Object.fromEntries(SERVICES.map((name) => [name, podOf(items, name)['serviceAccountName']]));
    expect(accounts).toMatchObject({ gateway: 'shared', devices: 'shared', tunnels: 'tunnels' });
    expect(of(items, 'ServiceAccount').map(({ metadata }) => metadata.name)).toEqual(['w-warren-secrets']);
    expect(podOf(await rendered('trying-out'), 'gateway')['serviceAccountName']).toBe('w-warren-gateway');
  });
});

describe('spread', () => {
  const constraintsOf = (items: Item[]) => podOf(items, 'tunnels')['topologySpreadConstraints'] as Item[] | undefined;
  const keysOf = (items: Item[]) => constraintsOf(items)?.map((one) => [one['topologyKey'], one['whenUnsatisfiable']]);
  const preferredOf = (items: Item[]) =>
    podOf(items, 'tunnels')['affinity']?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution;

  it('is by node in clusters without zone labels as well: zones are a preference of affinity', async () => {
    const items = await rendered('trying-out');
    expect(keysOf(items)).toEqual([['kubernetes.io/hostname', 'ScheduleAnyway']]);
    expect(constraintsOf(items)?.[0]).toMatchObject({
      nodeTaintsPolicy: 'Honor',
      matchLabelKeys: ['pod-template-hash'],
      labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'tunnels' } },
    });
    expect(preferredOf(items)).toMatchObject([{ podAffinityTerm: { topologyKey: 'topology.kubernetes.io/zone' } }]);
    const job = one(items, 'Job', 'w-warren-migrate-1')['spec'].template.spec;
    expect([job.affinity, job.topologySpreadConstraints]).toEqual([undefined, undefined]);
  });

  it('can be a must, be left out, or be other constraints', async () => {
    const must = await renderedWith('trying-out', {
      defaults: { spread: { nodes: 'DoNotSchedule', zones: 'DoNotSchedule' } },
    });
    expect(keysOf(must)).toEqual([
      ['kubernetes.io/hostname', 'DoNotSchedule'],
      ['topology.kubernetes.io/zone', 'DoNotSchedule'],
    ]);
    expect(preferredOf(must)).toBeUndefined();
    const none = await renderedWith('trying-out', { tunnels: { spread: { nodes: 'none', zones: 'none' } } });
    expect(keysOf(none)).toBeUndefined();
    const constraint = { maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'ScheduleAnyway' };
    const other = await renderedWith('trying-out', { tunnels: { topologySpreadConstraints: [constraint] } });
    expect(constraintsOf(other)).toMatchObject([
      { ...constraint, labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'tunnels' } } },
    ]);
  });
});
