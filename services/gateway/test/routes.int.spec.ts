import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '@warren/proto/common/v1/common';
import type { Express } from 'express';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { ACCOUNTLESS_ROUTES, names, PUBLIC_ROUTES, type Route } from '../src/http/public-routes.ts';
import { UPGRADE_PATHS } from '@warren/platform/http/upgrade.required';
import { RATE_LIMITS } from '../src/http/rate.limits.ts';
import { HUB, person, TestGateway } from './gateway.ts';

interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
}

/** The pattern under which the log's middleware hears of every request; it answers none. */
const LOG = '{/*splat}';

/** Every route that the router knows. */
function routesOf(app: Express): Route[] {
  const { stack } = app.router as unknown as { stack: Layer[] };
  const routes = stack.flatMap(({ route }) => (route && !route.path.endsWith(LOG) ? [route] : []));
  return routes.flatMap(({ path, methods }) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }) as Route),
  );
}

const member = person('member', Role.MEMBER);
const text = ({ method, path }: Route) => `${method} ${path}`;

describe('the routes', () => {
  let gateway: TestGateway;
  let routes: Route[];

  beforeAll(async () => {
    gateway = await TestGateway.start();
    gateway.signIn(member);
    routes = routesOf(gateway.app.getHttpAdapter().getInstance() as Express);
  });
  afterAll(() => gateway?.stop());

  it('are known to the router', () => {
    expect(routes.map(text)).toEqual(expect.arrayContaining(['GET /api/devices', 'POST /agent/enrol']));
  });

  it('answer 401 without a session, all but the public ones', async () => {
    const upgrades = UPGRADE_PATHS.map((path) => `/${path}`);
    const guarded = routes.filter(
      ({ method, path }) => !names(PUBLIC_ROUTES, method, path) && !upgrades.includes(path),
    );
    expect(guarded.length).toBeGreaterThan(10);
    for (const route of guarded) {
      const path = route.path.replaceAll(/:\w+/g, '01997b5c-0000-7000-8000-00000000000a');
      const options = route.method === 'GET' ? {} : { body: {} };
      expect([text(route), (await gateway.call(route.method, path, options)).status]).toEqual([text(route), 401]);
    }
  });

  it('refuse a body of a type that they do not read, before anything else', async () => {
    const upgrades = UPGRADE_PATHS.map((path) => `/${path}`);
    const changing = routes.filter(({ method, path }) => method !== 'GET' && !upgrades.includes(path));
    expect(changing.length).toBeGreaterThan(100);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    for (const route of changing) {
      const path = route.path.replaceAll(/:\w+/g, '01997b5c-0000-7000-8000-00000000000a');
      const { status, headers: answered } = await gateway.call(route.method, path, { body: '--x--', headers });
      const accepted = path.startsWith('/scim/')
        ? 'application/json, application/scim+json'
        : /^\/auth\/(saml|oidc)\//.test(path)
          ? 'application/x-www-form-urlencoded'
          : 'application/json';
      expect([text(route), status, answered['accept']]).toEqual([text(route), 415, accepted]);
    }
  });

  it('for upgrades only refuse other requests with that reason', async () => {
    for (const path of UPGRADE_PATHS) expect((await gateway.get(`/${path}`)).status).toBe(426);
  });

  it.each([
    ['public', PUBLIC_ROUTES],
    ['for people without an account', ACCOUNTLESS_ROUTES],
    ['limited', RATE_LIMITS],
  ])('that are listed as %s exist', (_what, listed) => {
    const known = new Set(routes.map(text));
    expect(listed.map(text).filter((route) => !known.has(route))).toEqual([]);
  });

  describe('a body', () => {
    const path = '/api/devices/no-id/reboot';
    const type = (value: string) => ({ origin: HUB, 'content-type': value });
    const refusal = (sent: string) => ({
      statusCode: 415,
      code: 'unsupported_media_type',
      message: `Invalid request: the body ${sent}; expected application/json.`,
    });

    it('of another type than JSON is refused with what came and what is expected', async () => {
      const sent = { as: member, body: 'a=1', headers: type('multipart/form-data; boundary=x') };
      const { status, json } = await gateway.call('POST', path, sent);
      expect([status, json]).toEqual([415, refusal('is "multipart/form-data; boundary=x"')]);
    });

    it('without content may have any type, also in chunks', async () => {
      for (const [name, value] of [
        ['content-length', '0'],
        ['transfer-encoding', 'chunked'],
      ] as const) {
        const headers = { ...type('multipart/form-data'), [name]: value };
        expect((await gateway.call('POST', path, { as: member, headers })).status).toBe(400);
      }
    });

    it('in chunks is no form where a form is expected', async () => {
      const routed = routes.filter((route) => route.method === 'POST' && /^\/auth\/(saml|oidc)\//.test(route.path));
      expect(routed.length).toBeGreaterThan(1);
      const headers = { ...type('application/json'), 'transfer-encoding': 'chunked' };
      for (const { path: at } of routed) {
        const to = { host: '127.0.0.1', port: gateway.port, method: 'POST', path: at, headers, agent: false };
        const sent = httpRequest(to);
        const answered = once(sent, 'response');
        sent.end('{"SAMLResponse":"a"}');
        const [answer] = (await answered) as [IncomingMessage];
        expect([at, answer.statusCode]).toEqual([at, 415]);
        answer.resume();
      }
    });

    it('in chunks is refused at its first byte, without a type as well', async () => {
      const headers = { origin: HUB, 'transfer-encoding': 'chunked' };
      const sent = httpRequest({ host: '127.0.0.1', port: gateway.port, method: 'POST', path, headers, agent: false });
      const answered = once(sent, 'response');
      sent.write('a');
      const [answer] = (await answered) as [IncomingMessage];
      const { value } = (await answer[Symbol.asyncIterator]().next()) as { value: Buffer };
      expect(JSON.parse(value.toString())).toEqual(refusal('has no Content-Type'));
      sent.destroy();
    });
  });
});
