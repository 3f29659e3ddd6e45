import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { registry } from '@warren/platform/telemetry/metrics';
import { until } from '@warren/infra/until';
import { ConfigError } from '@warren/platform/config/load';
import type { AuthConfig } from '../src/auth/config/auth.config.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SamlProviders } from '../src/auth/saml/saml.providers.ts';
import { SamlGateway } from './saml.gateway.ts';
import { TestIdp } from './saml.idp.ts';

const SECURE = 'https://hub.test';
const cookieOf = (header: string[] | undefined, name: string) =>
  new RegExp(`${name}=([\\w-]+)`).exec((header ?? []).find((line) => line.startsWith(`${name}=`)) ?? '')?.[0] ?? '';

describe('over https', () => {
  let idp: TestIdp;
  let saml: SamlGateway;
  beforeAll(async () => {
    idp = await TestIdp.make('https://idp.test/metadata', SECURE);
    saml = await SamlGateway.start(SECURE, { default: idp });
  });
  afterAll(() => saml?.stop());
  beforeEach(() => void (saml.signIns.length = 0));

  it('cookies are for this host alone, and the sign-in belongs to the browser that began it', async () => {
    const { answer, id } = await saml.login();
    const [begun = ''] = answer.headers['set-cookie'] ?? [];
    expect(begun).toMatch(/^__Host-warren-sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/);
    const cookie = cookieOf(answer.headers['set-cookie'], '__Host-warren-sign-in');
    const done = await saml.acs(await idp.answer({ inResponseTo: id }), { cookie });
    expect(done.status).toBe(303);
    expect(done.headers['set-cookie']?.[0]).toMatch(
      /^__Host-warren=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  it('an answer posted by another browser is refused', async () => {
    const { id } = await saml.login();
    for (const cookie of ['', `__Host-warren-sign-in=${'x'.repeat(43)}`]) {
      const answer = await saml.acs(await idp.answer({ inResponseTo: id }), cookie ? { cookie } : {});
      expect(answer.status).toBe(403);
    }
    expect(saml.signIns).toHaveLength(0);
  });

  it('two tabs of one browser may sign in at the same time', async () => {
    const first = await saml.login();
    const cookie = cookieOf(first.answer.headers['set-cookie'], '__Host-warren-sign-in');
    const second = await saml.login('', { cookie });
    expect(cookieOf(second.answer.headers['set-cookie'], '__Host-warren-sign-in')).toBe(cookie);
    for (const { id } of [first, second]) {
      expect((await saml.acs(await idp.answer({ inResponseTo: id }), { cookie })).status).toBe(303);
    }
  });
});

describe('with several providers', () => {
  const hub = 'http://hub.test';
  let [one, two]: TestIdp[] = [];
  let saml: SamlGateway;
  beforeAll(async () => {
    one = await TestIdp.make('https://one.test/', hub);
    two = await TestIdp.make('https://two.test/', hub);
    const domains = { one: { domains: ['hub.test'] }, two: { domains: ['two.test'] } };
    saml = await SamlGateway.start(hub, { one, two }, {}, {}, domains);
  });
  afterAll(() => saml?.stop());
  beforeEach(() => void (saml.signIns.length = saml.refusals.length = 0));

  it('the login lets the person choose, and carries the path along', async () => {
    const { answer } = await saml.login('?RelayState=/devices');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('href="/auth/saml/login?provider=one&amp;RelayState=%2Fdevices"');
    expect(answer.text).toContain('The &lt;two&gt; one');
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  });

  it('each signs its own people in', async () => {
    for (const [id, idp, email] of [
      ['one', one, 'ann@hub.test'],
      ['two', two, 'ann@two.test'],
    ] as const) {
      const begun = await saml.login(`?provider=${id}`);
      expect((await saml.acs((await idp?.answer({ inResponseTo: begun.id, email })) ?? '')).status).toBe(303);
      expect(saml.signIns.at(-1)?.saml?.provider).toBe(id);
    }
  });

  it('one may not answer what the other was asked', async () => {
    const { id } = await saml.login('?provider=one');
    expect((await saml.acs((await two?.answer({ inResponseTo: id })) ?? '')).status).toBe(403);
    expect(saml.signIns).toHaveLength(0);
  });

  it('a provider speaks for its domains only', async () => {
    for (const email of ['boss@other.test', 'boss@sub.hub.test', 'boss@evilhub.test', 'boss@two.test']) {
      const { id } = await saml.login('?provider=one');
      const answer = await saml.acs((await one?.answer({ inResponseTo: id, email })) ?? '');
      expect([email, answer.status]).toEqual([email, 403]);
    }
    expect(saml.refusals.at(-1)).toMatchObject({ provider: 'one', reason: expect.stringContaining('domains') });
  });
});

describe('with a provider that is not listed', () => {
  const hub = 'http://hub.test';
  let shown: TestIdp;
  let hidden: TestIdp;
  let saml: SamlGateway;
  beforeAll(async () => {
    [shown, hidden] = [await TestIdp.make('https://shown.test/', hub), await TestIdp.make('https://hidden.test/', hub)];
    saml = await SamlGateway.start(
      hub,
      { hidden, shown },
      {},
      {},
      { hidden: { listed: false, domains: ['hidden.test'] }, shown: { domains: ['hub.test'] } },
    );
  });
  afterAll(() => saml?.stop());

  it('people go to the other one at once', async () => {
    const { answer, id } = await saml.login();
    expect(answer.status).toBe(302);
    expect((await saml.acs(await shown.answer({ inResponseTo: id }))).status).toBe(303);
    expect(saml.signIns.at(-1)?.saml?.provider).toBe('shown');
  });

  it('who names it gets there, and signs in', async () => {
    const { id } = await saml.login('?provider=hidden');
    expect((await saml.acs(await hidden.answer({ inResponseTo: id, email: 'ann@hidden.test' }))).status).toBe(303);
    expect(saml.signIns.at(-1)?.saml?.provider).toBe('hidden');
  });
});

/** Requests that were measured with a route and status. */
async function counted(route: string, status: number): Promise<number> {
  const { values = [] } = (await registry.getSingleMetric('warren_http_request_duration_seconds')?.get()) ?? {};
  const series = values as { metricName?: string; labels: Record<string, unknown>; value: number }[];
  const counts = series.filter(({ metricName }) => metricName?.endsWith('_count'));
  return counts.find(({ labels }) => labels['route'] === route && labels['status'] === status)?.value ?? 0;
}

describe('without metadata', () => {
  it('the gateway starts, says that sign-in is not available, and recovers by itself', async () => {
    const hub = 'http://hub.test';
    const idp = await TestIdp.make('https://idp.test/metadata', hub);
    let up = false;
    const server = createServer((_request, response) => {
      response.statusCode = up ? 200 : 500;
      response.end(up ? idp.metadata() : 'down');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const metadata = `http://127.0.0.1:${port}/metadata`;
    const saml = await SamlGateway.start(
      hub,
      {},
      { SAML_PROVIDERS: JSON.stringify([{ id: 'a', name: 'A', metadata }]) },
    );
    try {
      const { answer } = await saml.login();
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '2']);
      expect(answer.text).toContain('not available');
      expect(answer.text).not.toContain(String(port));
      // By this the objective of sign-ins sees it.
      await until(() => counted('/auth/saml/login', 503));
      up = true;
      let status = 503;
      await until(async () => (status = (await saml.login()).answer.status) !== 503);
      expect(status).toBe(302);
    } finally {
      await saml.stop();
      server.close();
    }
  });
});

describe('in production', () => {
  const start = (hub: string, idp: TestIdp, env: Record<string, string> = {}) =>
    SamlGateway.start(hub, { default: idp }, { NODE_ENV: 'production', ...env });

  it('a development identity provider stops the start with one clear line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'warren-saml-'));
    const metadata = join(folder, 'idp.xml');
    const idp = await TestIdp.make('https://idp.test/warren-development', SECURE);
    await writeFile(metadata, idp.metadata());
    const config = { NODE_ENV: 'production', SAML_PROVIDERS: [{ id: 'default', name: 'A', metadata }] } as AuthConfig;
    const providers = new SamlProviders(config);
    const refused = /^SAML_PROVIDERS: default is refused in production: .* is a development identity provider$/;
    const error: unknown = await providers.onModuleInit().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(refused);
    providers.onApplicationShutdown();
    await rm(folder, { recursive: true });
  });

  it('a provider of good standing does not', async () => {
    const saml = await start(SECURE, await TestIdp.make('http://www.okta.test/exk1', SECURE));
    expect((await saml.login()).answer.status).toBe(302);
    await saml.stop();
  });
});
