import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callHub } from '../src/link/call.ts';
import { HubClock } from '../src/link/clock.ts';
import { dial } from '../src/link/dial.ts';
import { TestHub } from './hub.ts';
import { TestProxy } from './proxy.ts';

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'];

describe('a device behind an HTTP proxy', () => {
  const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  let hub: TestHub;
  let proxy: TestProxy;

  beforeEach(async () => {
    for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
    hub = await new TestHub().start();
    proxy = await new TestProxy().start();
  });

  afterEach(async () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    await hub.stop();
    await proxy.stop();
  });

  const dialIt = () =>
    dial({ hub: hub.url, token: 'none', version: '1', clock: new HubClock(), signal: AbortSignal.timeout(10_000) });

  it('asks it for a connection, for calls and for the link alike', async () => {
    process.env['HTTP_PROXY'] = proxy.url('s3cret');
    expect((await callHub(hub.url, '/somewhere')).status).toBe(426);
    hub.refuse = () => ({ status: 404, body: { message: 'connect: no such device' } });
    await expect(dialIt()).rejects.toMatchObject({ status: 404, step: 'key' });
    expect(proxy.asked).toEqual(Array(2).fill(`localhost:${hub.port}`));
  });

  it('goes straight to a hub that NO_PROXY names', async () => {
    process.env['HTTP_PROXY'] = proxy.url('s3cret');
    process.env['NO_PROXY'] = 'localhost';
    expect((await callHub(hub.url, '/somewhere')).status).toBe(426);
    expect(proxy.asked).toEqual([]);
  });

  it('says when it was the proxy that refused, and keeps its password to itself', async () => {
    process.env['HTTP_PROXY'] = proxy.url('wrong');
    for (const attempt of [() => callHub(hub.url, '/somewhere'), dialIt]) {
      const error = (await attempt().catch((reason: unknown) => reason)) as Error;
      expect(error.message).toMatch(/^proxy: 127\.0\.0\.1:\d+ answered 407$/);
    }
  });
});

describe('what went wrong on the way', () => {
  it.each([
    ['an unknown name', 'http://hub.invalid', /^name: /],
    ['a port where nothing listens', 'http://127.0.0.1:9', /^connection: nothing listens there/],
  ])('is reported for %s', async (_what, hub, expected) => {
    await expect(callHub(hub, '/')).rejects.toThrow(expected);
  });
});
