import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Prometheus, PROMETHEUS_VERSIONS } from '@warren/infra/prometheus';
import { until } from '@warren/infra/until';
import { registry } from '@warren/platform/telemetry/metrics';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { sessionStartSeconds } from '../src/telemetry/metrics.ts';

const RULES = resolve(import.meta.dirname, '../../../helm/warren/files/rules/slo.yaml');
const BUCKETS = 'warren_tunnels_session_start_seconds_bucket{kind="terminal",outcome="opened"}';
const MISSED = 'warren:slo_errors:ratio_rate5m{slo="terminal-start"}';

let server: Server;
let opening: NodeJS.Timeout;

beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('content-type', registry.contentType);
    void registry.metrics().then((text) => response.end(text));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opening = setInterval(() => sessionStartSeconds.observe({ kind: 'terminal', outcome: 'opened' }, 0.3), 100);
});
afterAll(() => {
  clearInterval(opening);
  server.close();
  server.closeAllConnections();
});

/** The bound of a second, as each version stores it. */
const BOUNDS = { 'Prometheus 2': '1', 'Prometheus 3': '1.0' };

describe.each(PROMETHEUS_VERSIONS)('the objective of terminals, with %s', (version) => {
  const bound = BOUNDS[version];
  let prometheus: Prometheus;

  beforeAll(async () => {
    const { port } = server.address() as AddressInfo;
    prometheus = await Prometheus.start(version, { tunnels: `http://127.0.0.1:${port}` }, [RULES]);
  });
  afterAll(() => prometheus?.stop());

  it(`is met by terminals that open at once, whose bucket is stored as le="${bound}"`, async () => {
    await until(async () => (await prometheus.query(MISSED)).length > 0, 30_000);
    const bounds = (await prometheus.query(BUCKETS)).map(({ metric }) => metric['le']);
    expect(bounds).toContain(bound);
    expect((await prometheus.query(MISSED)).map(({ value }) => Number(value[1]))).toEqual([0]);
    expect(await prometheus.brokenRules()).toEqual([]);
  });
});
