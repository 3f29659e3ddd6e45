import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { ACCOUNTLESS_ROUTES, names, PUBLIC_ROUTES, type Route } from '../src/http/public-routes.ts';
import { UPGRADE_PATHS } from '@warren/platform/http/upgrade.required';
import { RATE_LIMITS } from '../src/http/rate.limits.ts';
import { TestGateway } from './gateway.ts';

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

const text = ({ method, path }: Route) => `${method} ${path}`;

describe('the routes', () => {
  let gateway: TestGateway;
  let routes: Route[];

  beforeAll(async () => {
    gateway = await TestGateway.start();
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
});
