import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HookServer } from '@warren/infra/hook-server';
import { Addresses, type Resolve } from '@warren/platform/outbound/addresses';
import { HookClient } from '@warren/platform/outbound/hook.client';

const HUB = 'https://hub.example.com';
const LOOPBACK = ['127.0.0.1/32'];

const client = (resolve: Resolve, allowed: string[] = [], timeoutMs = 10_000) =>
  new HookClient(new Addresses({ allowed, hub: HUB, resolve }), timeoutMs);
const names =
  (hosts: Record<string, string[]>): Resolve =>
  async (host) =>
    (hosts[host] ?? []).map((address) => ({ address }));
const to = (address: string) => client(names({ 'hook.test': [address], 'hub.example.com': ['8.8.4.4'] }));
const REFUSED = 'The URL leads to an address that the hub does not connect to.';

describe('the addresses that webhooks may lead to', () => {
  it.each([
    ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '100.127.255.254', '224.0.0.1', '239.1.1.1', '255.255.255.255', '192.0.0.8'],
    ...['198.18.0.1', '203.0.113.5'],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
    ],
    ...['64:ff9b::7f00:1', '2002:7f00:1::', '2001:db8::1', '2001:0:1::1', '::7f00:1'],
    // The hub's own.
    '8.8.4.4',
  ])('are none such as %s', async (address) => {
    await expect(to(address).post(new URL('https://hook.test/'), '{}')).rejects.toThrow(REFUSED);
  });

  it.each([
    ...[
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://[::ffff:127.0.0.1]/',
      'https://2130706433/',
      'https://0x7f.1/',
    ],
    ...[
      'https://0177.0.0.1/',
      'https://[::ffff:7f00:1]/',
      'https://127.1/',
      'https://hub.example.com/',
      'https://hub.example.com./',
    ],
  ])('are none that are written as %s', async (url) => {
    const resolve = names({ 'hub.example.com': ['8.8.4.4'] });
    await expect(client(resolve).post(new URL(url), '{}')).rejects.toThrow(REFUSED);
  });

  it('are all of a name, or none', async () => {
    const resolve = names({ 'hook.test': ['8.8.8.8', '10.0.0.1'] });
    await expect(client(resolve).post(new URL('https://hook.test/'), '{}')).rejects.toThrow(REFUSED);
  });

  it('are reached by https only', async () => {
    const resolve = names({ 'hook.test': ['8.8.8.8'] });
    await expect(client(resolve).post(new URL('http://hook.test/'), '{}')).rejects.toThrow('begin with https');
  });

  it.each(['8.8.8.8', '2606:4700::1111'])('are those of the Internet, such as %s', async (address) => {
    const resolve = names({ 'hook.test': [address] });
    const addresses = new Addresses({ allowed: [], hub: HUB, resolve });
    expect(await addresses.pick(new URL('https://hook.test/'))).toMatchObject({ address });
  });

  it('include private ones that the operator allows', async () => {
    const addresses = new Addresses({ allowed: ['10.20.0.0/16', 'fd00:20::/64'], hub: HUB, resolve: names({}) });
    await expect(addresses.pick(new URL('http://10.20.3.4/'))).resolves.toMatchObject({ address: '10.20.3.4' });
    await expect(addresses.pick(new URL('http://[fd00:20::5]/'))).resolves.toMatchObject({ family: 6 });
    await expect(addresses.pick(new URL('http://10.21.0.1/'))).rejects.toThrow(REFUSED);
  });
});

describe('a webhook', () => {
  let server: HookServer;
  beforeAll(async () => {
    server = await new HookServer().start();
  });
  afterAll(() => server?.stop());
  const at = (host: string, path = '/') => new URL(path, server.url.replace('127.0.0.1', host));

  it('is connected to at the address that was checked, whatever its name leads to afterwards', async () => {
    const answers = ['127.0.0.1', '127.0.0.2', '10.0.0.1'];
    let asked = 0;
    const rebinding = client(async () => [{ address: answers[asked++] ?? '' }], LOOPBACK);
    await expect(rebinding.post(at('rebinding.test'), '{}')).resolves.toMatchObject({ status: 200 });
    // Once for the receiver, once for the hub's name.
    expect(asked).toBe(2);
    expect(server.posted.at(-1)?.headers.host).toMatch(/^rebinding\.test:/);
    await expect(rebinding.post(at('rebinding.test'), '{}')).rejects.toThrow(REFUSED);
  });

  const local = (timeoutMs?: number) => client(names({}), LOOPBACK, timeoutMs);

  it('is not followed to another address', async () => {
    server.status(302, { location: `${server.url}/other` });
    await expect(local().post(at('127.0.0.1', '/first'), '{}')).resolves.toMatchObject({ status: 302 });
    expect(server.on('/other')).toEqual([]);
  });

  it('may answer without end: no more than 4 KB are read', async () => {
    let closed = false;
    server.answer = (response) => {
      const chunk = 'x'.repeat(1_024);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more).on('close', () => (closed = true));
      more();
    };
    const { text } = await local().post(at('127.0.0.1'), '{}');
    expect(text).toHaveLength(4_096);
    while (!closed) await new Promise(setImmediate);
  });

  it.each([
    ['never answers', () => undefined],
    [
      'answers a byte at a time',
      (response: import('node:http').ServerResponse) => {
        const drip = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('that %s is given up', async (_what, answer) => {
    server.answer = answer;
    await expect(local(200).post(at('127.0.0.1'), '{}')).rejects.toThrow('No answer came within 0.2 seconds.');
  });

  it('whose name is never resolved is given up', async () => {
    const silent = client(() => new Promise(() => {}), [], 100);
    await expect(silent.post(new URL('https://hook.test/'), '{}')).rejects.toThrow('No answer came');
  });

  it('that fails says why without its address', async () => {
    const port = at('127.0.0.1').port;
    const other = await new HookServer().start();
    const url = new URL('/secret-path', other.url);
    await other.stop();
    const failure = await local()
      .post(url, '{}')
      .catch((error: unknown) => String(error));
    expect(failure).toContain('refused the connection');
    expect(failure).not.toMatch(/secret-path|127\.0\.0\.1/);
    expect(port).not.toBe('');
  });
});
