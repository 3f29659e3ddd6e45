import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { until } from '@warren/infra/until';
import { registry } from '@warren/platform/telemetry/metrics';
import { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer as createSilent, type AddressInfo, type LookupFunction, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { HubCertificate } from './hub.certificate.ts';

const ISSUED = new Date('2030-01-01T00:00:00Z');
const EXPIRY = new Date('2030-03-01T00:00:00Z');

async function figure(name: string, of = 'hub'): Promise<number> {
  const { values = [] } =
    (await registry.getSingleMetric(`warren_gateway_hub_certificate_${name}_timestamp_seconds`)?.get()) ?? {};
  return values.find(({ labels }) => labels['of'] === of)?.value ?? 0;
}

/** Resolves every host to this machine. */
class Certificate extends HubCertificate {
  protected override readonly lookup: LookupFunction = (name, options, found) =>
    name.endsWith('.invalid') ? found(new Error('no such name'), '') : lookup('localhost', options, found);
}

describe("the hub's certificate", () => {
  let server: Server;
  let silent: Server;
  beforeAll(async () => {
    Logger.overrideLogger(false);
    const options = { keySize: 2048, algorithm: 'sha256', notBeforeDate: ISSUED, notAfterDate: EXPIRY } as const;
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], options);
    server = createServer({ cert, key }).listen(0, '127.0.0.1');
    silent = createSilent().listen(0, '127.0.0.1');
    await Promise.all([once(server, 'listening'), once(silent, 'listening')]);
  });
  afterAll(() => {
    server.close();
    silent.close();
  });
  const placeOf = (of: Server) => `localhost:${(of.address() as AddressInfo).port}`;
  const at = (scheme: string, to: Server, pages = 'nobody.invalid') =>
    new Certificate({ HUB_URL: `${scheme}://${placeOf(to)}`, DEVICE_DOMAIN: pages });

  it('is not measured over plain http', async () => {
    let asked = false;
    silent.once('connection', () => (asked = true));
    const certificate = at('http', silent);
    certificate.onApplicationBootstrap();
    await certificate.onApplicationShutdown();
    expect(asked).toBe(false);
  });

  it('is measured at the public address: start and end of its validity', async () => {
    const certificate = at('https', server);
    certificate.onApplicationBootstrap();
    await until(async () => (await figure('expiry')) > 0);
    await certificate.onApplicationShutdown();
    expect([await figure('issued'), await figure('expiry')]).toEqual(
      [ISSUED, EXPIRY].map((date) => date.getTime() / 1_000),
    );
  });

  it('is measured for web services as well, whether the hub answers or not', async () => {
    const certificate = at('https', silent, placeOf(server));
    certificate.onApplicationBootstrap();
    await until(async () => (await figure('expiry', 'devices')) > 0);
    await certificate.onApplicationShutdown();
    expect(await figure('expiry', 'devices')).toBe(EXPIRY.getTime() / 1_000);
  });

  it('delays no shutdown if nothing answers, and keeps the last measurement', async () => {
    const connected = once(silent, 'connection');
    const certificate = at('https', silent);
    certificate.onApplicationBootstrap();
    await connected;
    const begun = performance.now();
    await certificate.onApplicationShutdown();
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(await figure('expiry')).toBe(EXPIRY.getTime() / 1_000);
  });
});
