import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../src/bundle.ts';
import { renderedChart, type Rendered } from './chart.ts';
import type { Kubernetes, Rule } from './kubernetes.api.ts';
import { startKubernetes } from './kubernetes.ts';

// Each run is a process, and so is Helm.
const BUNDLED = 'w-warren-bundled';
const IDENTITY = 'w-warren-test-identity';
const encode = (text: string) => Buffer.from(text).toString('base64');
/** A Secret as the templates of the last release made it. */
const ofLastRelease = (name: string, data: Record<string, string>, annotations = {}) => ({
  metadata: { name, labels: { 'app.kubernetes.io/instance': 'w' }, annotations },
  data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, encode(value)])),
});

describe('the Job that creates Secrets', () => {
  let chart: Rendered;
  let kubernetes: Kubernetes;
  let folder: string;
  let token: string;

  beforeAll(async () => {
    chart = await renderedChart();
    folder = await mkdtemp(join(tmpdir(), 'warren-secrets-'));
    await bundle('deploy/images/src/secrets/main.ts', join(folder, 'secrets.mjs'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  beforeEach(async () => {
    kubernetes = await startKubernetes();
    token = await kubernetes.grant(chart.rules);
  });
  afterEach(() => kubernetes.stop());

  /** Runs the program as the Job does. @returns what it wrote */
  async function run({ environment } = chart, as = token): Promise<string> {
    const file = join(folder, 'token');
    await writeFile(file, `${as}\n`, { mode: 0o600 });
    const env = {
      ...environment,
      NODE_EXTRA_CA_CERTS: kubernetes.authority,
      TOKEN_FILE: file,
      KUBERNETES_SERVICE_HOST: kubernetes.host,
      KUBERNETES_SERVICE_PORT: String(kubernetes.port),
    };
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'secrets.mjs')], { env });
    return stdout;
  }

  async function valuesOf(name: string): Promise<Record<string, string>> {
    const data = (await kubernetes.read(name))?.data ?? {};
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  it('creates every key that a pod of the chart reads, and nothing the second time', async () => {
    expect(await run()).toBe(`Secret ${BUNDLED}: created\nSecret ${IDENTITY}: created\n`);
    const [bundled, identity] = [await kubernetes.read(BUNDLED), await kubernetes.read(IDENTITY)];
    const made = [BUNDLED, IDENTITY].flatMap((name, index) =>
      Object.keys([bundled, identity][index]?.data ?? {}).map((key) => `${name}/${key}`),
    );
    const read = chart.references.filter((reference) => /^w-warren-/.test(reference));
    expect(read.length).toBeGreaterThan(30);
    expect(made).toEqual(expect.arrayContaining(read));
    expect(bundled?.metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'w' });
    expect(await run()).toBe(`Secret ${BUNDLED}: unchanged\nSecret ${IDENTITY}: unchanged\n`);
    expect(await kubernetes.read(BUNDLED)).toEqual(bundled);
    expect(await kubernetes.read(IDENTITY)).toEqual(identity);
  });

  it('keeps what the last release made, and keeps it from Helm and Argo CD', async () => {
    const passwords = {
      'postgres-password': 'wAdmin',
      'postgres-identity': 'wIdentity',
      'nats-gateway': 'wNats',
      extra: 'mine',
    };
    await kubernetes.write(ofLastRelease(BUNDLED, passwords, { 'helm.sh/resource-policy': 'keep' }));
    await run();
    // The identity of the last release had no such annotation, by which Helm leaves it at its place.
    for (const name of [BUNDLED, IDENTITY]) {
      expect((await kubernetes.read(name))?.metadata.annotations).toMatchObject({
        'helm.sh/resource-policy': 'keep',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      });
    }
    const values = await valuesOf(BUNDLED);
    expect(values).toMatchObject(passwords);
    expect(values['identity-url']).toBe('postgres://warren_identity:wIdentity@w-warren-postgresql:5432/warren');
    expect(values['unsigned-calls']).toBe('accept');
  });

  it('accepts calls of 0.1.0 until the version after the one that added the keys', async () => {
    await kubernetes.write(ofLastRelease(BUNDLED, { 'nats-gateway': 'wNats' }));
    await run();
    await run();
    expect((await valuesOf(BUNDLED))['unsigned-calls']).toBe('accept');
    await run({ ...chart, environment: { ...chart.environment, CHART_VERSION: '9.9.9' } });
    expect((await valuesOf(BUNDLED))['unsigned-calls']).toBe('refuse');
  });

  it('agrees with another run at the same time', async () => {
    const outcomes = await Promise.all([run(), run(), run()]);
    expect(outcomes.join('').match(/bundled: created/g)).toHaveLength(1);
    const { data } = (await kubernetes.read(BUNDLED)) ?? {};
    await run();
    expect((await kubernetes.read(BUNDLED))?.data).toEqual(data);
  });

  it('has rights to read and change no other Secret', async () => {
    await kubernetes.write(ofLastRelease('mail', { 'smtp-url': 'smtp://a:b@c' }));
    const other = { ...chart, environment: { ...chart.environment, BUNDLED_SECRET: 'mail' } };
    await expect(run(other)).rejects.toThrow(/Secret mail: GET \/mail: 403 .*forbidden/);
  });

  it('names the Secret and what the server said when it may not create one', async () => {
    const without = chart.rules.map((rule): Rule => ({
      ...rule,
      verbs: rule.verbs.filter((verb) => verb !== 'create'),
    }));
    const weak = await kubernetes.grant(without.filter(({ verbs }) => verbs.length > 0));
    await expect(run(chart, weak)).rejects.toThrow(/Secret w-warren-bundled: POST \/: 403 .*forbidden/);
  });

  it('names a kept key that it cannot read, without its value', async () => {
    await kubernetes.write(ofLastRelease(BUNDLED, { 'caller-gateway': 'hunter2' }));
    const failed = run().catch((error: Error) => error.message);
    expect(await failed).toMatch(/Secret w-warren-bundled: caller-gateway: expected a private key/);
    expect(await failed).not.toContain('hunter2');
  });
});
