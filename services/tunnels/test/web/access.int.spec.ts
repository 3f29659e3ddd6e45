import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { until } from '@warren/infra/until';
import { SIGNALS } from '@warren/platform/broker/keys';
import { Fault } from '@warren/platform/errors/fault';
import { frameState } from '@warren/platform/http/device.entry';
import { Redis } from 'ioredis';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { PendingEvents } from '../../src/audit/pending.events.ts';
import { WebVisits } from '../../src/web/web.session.ts';
import { HUB } from '../fake.agent.ts';
import { hashOf, parse, type WebDevice } from './web.device.ts';
import { WebWorld } from './web.world.ts';

const WITHDRAWN_MS = 2_000;
const NAVIGATION = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document', 'Accept: text/html'];

describe('who sees a web service', () => {
  let web: WebWorld;
  let server: Server;
  let served = 0;

  beforeAll(async () => {
    web = await WebWorld.start();
    server = createServer((request, response) => {
      served++;
      if (request.url !== '/stream') return void response.end('hello');
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    });
  });
  afterAll(async () => {
    await web?.stop();
    server?.closeAllConnections();
    server?.close();
  });

  const made = (): Promise<WebDevice> => web.device(server);
  const anybody = (device: WebDevice, path: string, ...lines: string[]) =>
    device.raw(`GET ${path} HTTP/1.1\r\nHost: ${device.host}\r\n${[...lines, ''].join('\r\n')}\r\n`);
  const locationOf = (head: string) => new URL(/\r\nlocation: (.*)/i.exec(head)?.[1] ?? '', HUB);

  it('redirects a person to the hub, refuses a program, and does not redirect in circles in a frame', async () => {
    const device = await made();
    const person = await anybody(device, '/a?b=c', ...NAVIGATION);
    expect(person.status).toBe(303);
    const to = locationOf(person.head);
    expect(`${to.origin}${to.pathname}`).toBe(`${HUB}/tunnel/open`);
    expect(to.searchParams.get('host')).toBe(device.host);
    expect(to.searchParams.get('path')).toBe('/a?b=c');
    expect(await anybody(device, '/')).toMatchObject({ status: 401 });
    const frame = await anybody(device, '/', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe');
    expect(frame.status).toBe(401);
    expect(frame.body).toContain(`href="${HUB}/device/web/${device.host}" target="_blank"`);
    const preflight = `OPTIONS / HTTP/1.1\r\nHost: ${device.host}\r\nOrigin: http://evil.test\r\nAccess-Control-Request-Method: PUT\r\n\r\n`;
    const refused = await device.raw(preflight);
    expect(refused.status).toBe(401);
    expect(refused.head).not.toMatch(/access-control/i);
    expect(served).toBe(0);
  });

  it('takes a ticket once, in a frame of the browser whose secret it is for, for its own device', async () => {
    const device = await made();
    const other = await made();
    const [secret, stolen] = ['s'.repeat(43), 't'.repeat(43)];
    const ticket = () => device.ticket(frameState(secret));
    const good = ticket();
    const first = await device.post(good, secret);
    expect(first).toMatchObject({ status: 200 });
    expect(first.head).toMatch(/\r\nrefresh: 0; url=\/\r\n/i);
    expect(first.head).toMatch(/set-cookie: warren-web=[\w-]{43}; .*HttpOnly; Secure; Partitioned; SameSite=None/i);
    const again = await device.post(good, secret);
    expect(again).toMatchObject({ status: 403 });
    expect(JSON.parse(again.body)).toMatchObject({ code: 'permission_denied' });
    expect((await device.post(good, secret, 'Sec-Fetch-Mode: navigate')).body).toContain(
      '<h1>Address used or too old</h1>',
    );
    expect(await device.post(ticket(), stolen)).toMatchObject({ status: 403 });
    expect(await device.post(ticket(), '')).toMatchObject({ status: 403 });
    expect(await device.post(device.ticket(''), secret)).toMatchObject({ status: 403 });
    expect(await device.post(device.ticket(hashOf(secret)), secret)).toMatchObject({ status: 403 });
    expect(await other.post(ticket(), secret)).toMatchObject({ status: 403 });
  });

  it('shows nothing of a device while the start of the visit cannot be recorded', async () => {
    const device = await made();
    const hold = jest.spyOn(web.world.app.get(PendingEvents), 'hold');
    hold.mockRejectedValue(new Fault('unavailable', 'Redis does not answer.'));
    expect((await device.enter()).cookie).toBe('');
    hold.mockRestore();
    await device.enter();
    expect(await device.get('/')).toMatchObject({ status: 200, body: 'hello' });
    const before = served;
    // The visit is over, and the next request begins another.
    web.world.app.get(WebVisits).sweep(Number.POSITIVE_INFINITY);
    jest.spyOn(web.world.app.get(PendingEvents), 'hold').mockRejectedValue(new Fault('unavailable', 'away'));
    expect(await device.get('/')).toMatchObject({ status: 503 });
    expect(served).toBe(before);
    jest.restoreAllMocks();
    expect(await device.get('/')).toMatchObject({ status: 200 });
    const actions = () =>
      web.world.events.flatMap(({ kind }) =>
        kind.case === 'audit' && kind.value.target?.id === device.page.deviceId ? [kind.value.action] : [],
      );
    await until(() => actions().length === 3);
    expect(actions().toSorted()).toEqual(['web_service.close', 'web_service.open', 'web_service.open']);
  });

  it('takes no frame ticket in a URL, nor outside a frame', async () => {
    const device = await made();
    const secret = 's'.repeat(43);
    const ticket = () => device.ticket(frameState(secret));
    for (const query of [`ticket=${ticket()}`, `ticket=${ticket()}&secret=${secret}`, `ticket=${device.ticket('')}`])
      for (const dest of ['iframe', 'document'])
        expect(
          await anybody(
            device,
            `/.warren/enter?${query}`,
            `Sec-Fetch-Dest: ${dest}`,
            `Cookie: warren-web-visit=${secret}`,
          ),
        ).toMatchObject({ status: 403 });
    const form = `ticket=${ticket()}&secret=${secret}`;
    const head = `POST /.warren/enter HTTP/1.1\r\nHost: ${device.host}\r\nContent-Length: ${form.length}\r\n`;
    for (const line of ['Sec-Fetch-Dest: document\r\n', ''])
      expect(await device.raw(`${head}${line}\r\n${form}`)).toMatchObject({ status: 403 });
  });

  it('lets a visit in that began in this browser, and does not send it round twice', async () => {
    const device = await made();
    const begun = await anybody(device, '/', ...NAVIGATION);
    const nonce = /set-cookie: (warren-web-visit=[\w-]+)/i.exec(begun.head)?.[1] ?? '';
    const state = locationOf(begun.head).searchParams.get('state') ?? '';
    const path = () => `/.warren/enter?ticket=${device.ticket(state)}&to=%2F`;
    expect(await anybody(device, path(), ...NAVIGATION)).toMatchObject({ status: 403 });
    const entered = await anybody(device, path(), `Cookie: ${nonce}`, ...NAVIGATION);
    expect(entered.status).toBe(303);
    expect(entered.head).toContain('warren-web-visit=entered');
    const lost = await anybody(device, '/', 'Cookie: warren-web-visit=entered', ...NAVIGATION);
    expect(lost).toMatchObject({ status: 400 });
    expect(lost.body).toContain('Cookies are needed');
  });

  it('refuses a forged cookie, and one of another device', async () => {
    const device = await (await made()).enter();
    const other = await (await made()).enter();
    expect(await device.get('/')).toMatchObject({ status: 200 });
    const before = served;
    for (const cookie of [`warren-web=${'A'.repeat(43)}`, other.cookie, 'warren-web='])
      expect(await anybody(device, '/', `Cookie: ${cookie}`)).toMatchObject({ status: 401 });
    expect(served).toBe(before);
  });

  it('refuses requests that another site causes', async () => {
    const device = await (await made()).enter();
    const before = served;
    const refused: [string, ...string[]][] = [
      ['POST', 'Sec-Fetch-Site: same-site', 'Content-Length: 0'],
      ['GET', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors'],
      ['POST', 'Origin: http://evil.test', 'Content-Length: 0'],
      ['POST', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Content-Length: 0'],
      ['GET', 'Origin: http://evil.test', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a'],
    ];
    for (const [method, ...lines] of refused)
      expect(await device.send(method, '/', '', ...lines)).toMatchObject({ status: 403 });
    expect(served).toBe(before);
    expect(await device.get('/', 'Sec-Fetch-Site: cross-site', ...NAVIGATION)).toMatchObject({ status: 200 });
  });

  describe('loses it', () => {
    const streaming = async (device: WebDevice): Promise<Socket> => {
      const socket = await device.open();
      let got = '';
      socket.on('data', (data: Buffer) => (got += data.toString()));
      socket.write(`GET /stream HTTP/1.1\r\nHost: ${device.host}\r\nCookie: ${device.cookie}\r\n\r\n`);
      await until(() => parse(got).status === 200);
      return socket;
    };
    type Cut = (device: WebDevice) => Promise<unknown>;
    const cuts: [string, Cut][] = [
      ['the web service is turned off', (device) => ((device.page.enabled = false), device.changed())],
      [
        'the device moves to another account',
        (device) => {
          device.page.accountId = 'elsewhere';
          web.neighbours.devices.get(device.page.deviceId)!.accountId = 'elsewhere';
          return device.changed();
        },
      ],
      [
        'the user is disabled',
        (device) => {
          web.neighbours.users.get(device.email)!.active = false;
          const value = { userId: device.userId, email: device.email, active: false };
          return web.world.publish({ case: 'userChanged', value } as never);
        },
      ],
      [
        'the user is in another account now',
        (device) => {
          web.neighbours.users.get(device.email)!.accountId = 'elsewhere';
          const value = { userId: device.userId, email: device.email, active: true };
          return web.world.publish({ case: 'userChanged', value } as never);
        },
      ],
      [
        'the account is disabled',
        (device) =>
          web.world.publish({
            case: 'accountChanged',
            value: { accountId: device.page.accountId, name: '', active: false, operator: false },
          } as never),
      ],
      [
        'the session is signed out',
        async (device) => {
          web.neighbours.sessions.delete(device.session);
          // As identity does; tunnels may only listen.
          const identity = new Redis(process.env['TEST_REDIS_URL'] ?? '');
          await identity.publish(SIGNALS.sessionsEnded, device.session).finally(() => identity.disconnect());
        },
      ],
    ];

    it.each(cuts)('within two seconds when %s', async (_when, cut) => {
      const device = await (await made()).enter();
      const socket = await streaming(device);
      await cut(device);
      const from = performance.now();
      await until(() => socket.destroyed || socket.readableEnded);
      expect(performance.now() - from).toBeLessThan(WITHDRAWN_MS);
      expect((await device.get('/')).status).toBeGreaterThanOrEqual(401);
    });
  });
});
