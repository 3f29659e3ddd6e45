import { describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readValues } from '../src/chart/values.ts';
import { CHART, rendered, renderedWith } from './chart.ts';

const provider = (more: object) => ({
  saml: { providers: [{ id: 'a', name: 'A', metadata: 'https://a.example/m', domains: ['a.example'], ...more }] },
});

describe('values of the wrong form are refused by name', () => {
  it.each([
    [{ hub: { trustProxy: true } }, /'\/hub\/trustProxy': got boolean, want integer or string/],
    [{ hub: { trustProxy: 'yes' } }, /'\/hub\/trustProxy': 'yes' does not match/],
    [{ hub: { trustProxy: 100 } }, /'\/hub\/trustProxy': maximum: got 100, want 99/],
    [{ tunnels: { maxLinks: 0 } }, /'\/tunnels\/maxLinks': minimum: got 0, want 1/],
    [{ tunnels: { limits: { deviceBuffer: 1024 } } }, /'\/tunnels\/limits\/deviceBuffer': minimum: got 1,?024/],
    [{ postgresql: { pool: 1000 } }, /'\/postgresql\/pool': maximum: got 1,?000, want 200/],
    [{ postgresql: { pool: 0 } }, /'\/postgresql\/pool': minimum: got 0, want 1/],
    [{ hub: { host: 'Hub.example.com' } }, /'\/hub\/host': 'Hub.example.com' does not match/],
    [{ hub: { host: 'hub example.com' } }, /'\/hub\/host': 'hub example.com' does not match/],
    [{ hub: { host: 'https://hub.example.com' } }, /'\/hub\/host': 'https:\/\/hub.example.com' does not match/],
    [{ hub: { deviceDomain: 'devices..net' } }, /'\/hub\/deviceDomain': 'devices..net' does not match/],
    [{ hub: { operatorEmail: 'you' } }, /'\/hub\/operatorEmail': 'you' does not match/],
    ...['10.0.0.53 and more', 'x 10.0.0.53', '::1 and more', 'dns fd00::53'].map((one): [object, RegExp] => [
      { hub: { dnsServers: [one] } },
      new RegExp(`'/hub/dnsServers/0': '${one}' does not match`),
    ]),
    [{ hub: { settingsEmails: ['you'] } }, /'\/hub\/settingsEmails\/0': 'you' does not match/],
    [{ hub: { studioOrigin: 'studio.example.com' } }, /'\/hub\/studioOrigin': 'studio.example.com' does not match/],
    [{ redis: { url: 'redis.example.com:6379' } }, /'\/redis\/url': 'redis.example.com:6379' does not match/],
    [{ redis: { nodes: ['redis://a'] } }, /'\/redis\/nodes\/0': 'redis:\/\/a' does not match/],
    [{ nats: { url: 'nats.example.com:4222' } }, /'\/nats\/url': 'nats.example.com:4222' does not match/],
    [{ observability: { otlpEndpoint: 'c:4318' } }, /'\/observability\/otlpEndpoint': 'c:4318' does not match/],
    [
      provider({ metadata: 'http://idp.example/m' }),
      /'\/saml\/providers\/0\/metadata': 'http:\/\/idp.example\/m' does/,
    ],
    [provider({ id: 'Staff' }), /'\/saml\/providers\/0\/id': 'Staff' does not match/],
    [provider({ url: 'x' }), /'\/saml\/providers\/0': additional properties 'url' not allowed/],
    [{ saml: { clockTolerance: 301 } }, /'\/saml\/clockTolerance': maximum: got 301, want 300/],
    [{ doctor: { schedule: 'daily' } }, /'\/doctor\/schedule': 'daily' does not match .*@\(yearly/],
    [{ backup: { schedule: 'daily' } }, /'\/backup\/schedule': 'daily' does not match/],
    [{ mail: { existingSecret: 'My Secret' } }, /'\/mail\/existingSecret': 'My Secret' does not match/],
    [{ image: { tag: 0.1 } }, /'\/image\/tag': got number, want string/],
    [{ tunnels: { image: { digest: 'abc' } } }, /'\/tunnels\/image\/digest': 'abc' does not match .*sha256/],
    [{ global: { imageRegistry: 'https://r' } }, /'\/global\/imageRegistry': 'https:\/\/r' does not match/],
    [{ tunnels: { livenessProbe: { periodSeconds: 0 } } }, /'\/tunnels\/livenessProbe\/periodSeconds': minimum: got 0/],
    [{ tunnels: { spread: { nodes: 'maybe' } } }, /'\/tunnels\/spread\/nodes': value must be one of .*DoNotSchedule/],
    [{ doctor: { replicas: 2 } }, /'\/doctor': additional properties 'replicas' not allowed/],
    [{ podDisruptionBudget: { minAvailable: 'half' } }, /'\/podDisruptionBudget\/minAvailable': 'half' does not match/],
    [{ networkPolicy: { mailPorts: [70000] } }, /'\/networkPolicy\/mailPorts\/0': maximum: got 70,?000, want 65,?535/],
  ])('%j', async (values, text) => {
    await expect(renderedWith('production', values)).rejects.toThrow(text);
  });

  it.each([
    [
      provider({}).saml.providers.concat(provider({ domains: ['b.example'] }).saml.providers),
      /ids that differ.*a twice/,
    ],
    [provider({ listed: false }).saml.providers, /expected one at least that people are offered/],
  ])('providers that contradict each other: %j', async (providers, text) => {
    await expect(renderedWith('production', { saml: { providers }, oidc: { providers: [] } })).rejects.toThrow(text);
  });

  it.each([
    [{ doctor: { schedule: '0 25 * * *' } }, /doctor.schedule: expected a cron expression such as .*came: "0 25/],
    [{ defaults: { image: { digest: `sha256:${'a'.repeat(64)}` } } }, /defaults.image: expected no digest.*sha256:a/],
  ])('what a form does not show: %j', async (values, text) => {
    await expect(renderedWith('production', values)).rejects.toThrow(text);
  });

  it('`yes` without quotes is a boolean of YAML', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-values-'));
    await writeFile(join(folder, 'yes.yaml'), 'hub:\n  trustProxy: yes\n');
    const made = rendered('production', '-f', join(folder, 'yes.yaml'));
    await expect(made).rejects.toThrow(/'\/hub\/trustProxy': got boolean, want integer or string/);
    await rm(folder, { recursive: true });
  });

  it.each([[1], ['2'], ['No'], ['loopback, 10.0.0.0/8,fd00::/8'], ['uniquelocal']])(
    'takes trustProxy %j',
    async (one) => {
      const text = JSON.stringify(await renderedWith('production', { hub: { trustProxy: one } }));
      expect(text).toContain(JSON.stringify({ name: 'TRUST_PROXY', value: String(one) }));
    },
  );
});

describe('examples in values.yaml', () => {
  it('stand beside every value that is empty by default', async () => {
    const { values } = readValues(await readFile(join(CHART, 'values.yaml'), 'utf8'));
    const isEmpty = (value: unknown) =>
      value === '' || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}';
    const lacking = values.filter(({ standard, example }) => isEmpty(standard) && example === undefined);
    expect(lacking.map(({ path }) => path.join('.'))).toEqual([]);
  });

  it('fit the schema', async () => {
    const { values } = readValues(await readFile(join(CHART, 'values.yaml'), 'utf8'));
    const all: Record<string, unknown> = {};
    for (const { path, example } of values) {
      if (example === undefined) continue;
      let at = all;
      for (const step of path.slice(0, -1)) at = (at[step] ??= {}) as Record<string, unknown>;
      at[path.at(-1) ?? ''] = parse(example);
    }
    const made = renderedWith('production', all).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(await made).not.toContain('specifications of the schema');
  });
});

describe('values that contradict each other or the schema are refused', () => {
  it.each([
    [
      'production',
      'hub.deviceDomain=example.com',
      /hub.deviceDomain: expected a domain that the hub's own host is not in/,
    ],
    ['production', 'saml.providers[0].id=installation-test', /expected another id than installation-test/],
    [
      'production',
      'saml.providers[1].domains=null',
      /expected domains of e-mail addresses for each of several .*partner/,
    ],
    [
      'production',
      'saml.providers[1].domains={EXAMPLE.com}',
      /one provider alone speaks for \(came: example.com twice\)/,
    ],
    [
      'production',
      'oidc.providers[0].domains={partner.example}',
      /oidc.providers: expected .* \(came: partner.example twice\)/,
    ],
    ['production', 'oidc.clientSecrets=', /oidc.clientSecrets: expected the Secret that has the key guests/],
    ['production', 'oidc.providers[0].emailClaim=upn', /emailVerified to be assumed where emailClaim is not email/],
    ['trying-out', 'saml.providers[0].domains=null', /that of tests.identity counted \(came: none for default\)/],
    ['production', 'hub.host=', /hub.host, hub.deviceDomain and hub.operatorEmail: expected all three/],
    ['production', 'postgresql.bundled=true', /postgresql.bundled: expected neither an address nor a Secret/],
    ['production', 'postgresql.existingSecret=', /postgresql: expected a server of yours/],
    ['production', 'redis.nodes={a:1}', /redis.nodes: expected nothing while redis.mode is standalone/],
    ['production', 'redis.url=redis://plain:6379', /redis.caSecret: expected redis.url to begin with rediss/],
    [
      'production',
      'nats.url=nats://plain:4222',
      /nats.caSecret, nats.clientSecret: expected nats.url to begin with tls/,
    ],
    [
      'production',
      'fleet.remoteWrite.existingSecret=remote-write',
      /fleet.remoteWrite.url: expected the receiver's address/,
    ],
    [
      'production',
      'fleet.remoteWrite.url=https://p.example.com/,fleet.remoteWrite.user=a',
      /fleet.remoteWrite.existingSecret: expected the Secret with the password/,
    ],
    [
      'production',
      'audit.recordings.claim=a,audit.recordings.s3.bucket=b',
      /audit.recordings.claim: expected no claim beside audit.recordings.s3.bucket/,
    ],
    [
      'production',
      'audit.recordings.s3.endpoint=https://s3.example.com',
      /audit.recordings.s3.bucket: expected a bucket/,
    ],
    ['production', 'gatewayApi.enabled=true', /ingress.enabled and gatewayApi.enabled: expected one of them/],
    ['production', 'gateway.replicas=3', /gateway.replicas: expected none while gateway.autoscaling is enabled/],
    ['production', 'tunnels.autoscaling.minReplicas=99', /minReplicas: expected at most maxReplicas/],
    ['production', 'defaults.terminationGracePeriodSeconds=20', /expected 35 at least/],
    [
      'production',
      'saml.metadataConfigMap=,defaults.extraVolumeMounts=null',
      /expected the ConfigMap that brings the file staff.xml/,
    ],
    ['sentinel-traefik', 'redis.nodes=null', /redis.nodes: expected the sentinels/],
    ['trying-out', 'redis.mode=cluster', /redis.mode: expected standalone with redis.bundled/],
    ['cluster-gateway-api', 'gatewayApi.parentRefs=null', /gatewayApi.parentRefs: expected the Gateway/],
  ])('%s with %s', async (name, set, text) => {
    await expect(rendered(name, '--set', set)).rejects.toThrow(text);
  });

  it.each([
    ['hub.hots=x', /hots/],
    ['redis.mode=ring', /redis.mode|\/redis\/mode/],
    ['defaults.replicas=two', /replicas/],
    ['ingress.enabled=maybe', /enabled/],
  ])('not of the schema: %s', async (set, text) => {
    await expect(rendered('production', '--set', set)).rejects.toThrow(text);
  });
});
