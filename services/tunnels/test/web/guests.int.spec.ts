import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { SIGNALS } from '@warren/platform/broker/keys';
import { EventFollower } from '@warren/platform/events/event.follower';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import { DevicePermission } from '@warren/proto/common/v1/common';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { hashOf, parse, type WebDevice } from './web.device.ts';
import type { GuestOfLink } from './web.neighbours.ts';
import { WebWorld } from './web.world.ts';

const ENDED_MS = 2_000;
const isCut = ({ destroyed, readableEnded }: Socket) => destroyed || readableEnded;

describe('a guest of a web service', () => {
  let web: WebWorld;
  let server: Server;
  let redis: Redis;
  let served = 0;

  beforeAll(async () => {
    web = await WebWorld.start();
    redis = new Redis(process.env['TEST_REDIS_URL'] ?? '');
    server = createServer((request, response) => {
      served++;
      if (request.url !== '/stream') return void response.end('hello');
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' }).flushHeaders();
    });
    server.on('upgrade', (_request: unknown, socket: Duplex) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
  });
  afterAll(async () => {
    await web?.stop();
    redis?.disconnect();
    server?.closeAllConnections();
    server?.close();
  });

  const made = async (of: Partial<GuestOfLink> = {}): Promise<WebDevice> =>
    Object.assign(await web.device(server), { guest: { id: randomUUID(), ...of } });
  const grantOf = async ({ cookie }: WebDevice): Promise<Record<string, unknown>> =>
    JSON.parse((await redis.get(`tunnels:web:${hashOf(cookie.split('=')[1] ?? '')}`)) ?? '{}');
  const audited = (guest: string) =>
    web.world.events.flatMap(({ kind }) =>
      kind.case === 'audit' && kind.value.actor?.id === guest
        ? [{ action: kind.value.action, kind: kind.value.actor?.kind }]
        : [],
    );

  it('is let in to the service of the link, and its visit is recorded with the guest as the actor', async () => {
    const device = await (await made()).enter();
    expect(await device.get('/')).toMatchObject({ status: 200 });
    const id = device.guest?.id ?? '';
    await until(() => audited(id).length === 1);
    expect(audited(id)).toMatchObject([{ action: 'web_service.open', kind: AuditActorKind.GUEST }]);
    const { port, deviceId } = device.page;
    const stored = await grantOf(device);
    expect(stored).toMatchObject({ deviceId, narrowed: { guest: { id, deviceId, web: { port } } } });
    // Replicas of the version before need one, and would take the guest for the maker.
    expect(stored).not.toHaveProperty('user');
  });

  it.each([
    ['another port', { port: 1 }],
    ['a terminal', { permission: DevicePermission.TERMINAL }],
  ])('is not let in by a link to %s', async (_what, of) => {
    const device = await made(of);
    const before = served;
    expect((await device.enter()).cookie).toBe('');
    expect(await device.get('/')).toMatchObject({ status: 401 });
    expect(served).toBe(before);
  });

  it('opens no other device with the cookie of one', async () => {
    const device = await (await made()).enter();
    const other = await made();
    const before = served;
    expect(await Object.assign(other, { cookie: device.cookie }).get('/')).toMatchObject({ status: 401 });
    expect(served).toBe(before);
  });

  const opened = async (device: WebDevice, path: string, status: number, ...lines: string[]): Promise<Socket> => {
    const socket = await device.open();
    let got = '';
    socket.on('data', (data: Buffer) => (got += data.toString()));
    const head = [`GET ${path} HTTP/1.1`, `Host: ${device.host}`, `Cookie: ${device.cookie}`, ...lines];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await until(() => parse(got).status === status);
    return socket;
  };
  /** A download and a WebSocket of a guest. */
  const using = async (device: WebDevice): Promise<Socket[]> => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a', `Origin: ${device.origin}`];
    return Promise.all([opened(device, '/stream', 200), opened(device, '/socket', 101, ...upgrade)]);
  };

  const accessChanged = ({ page: { accountId } }: WebDevice) =>
    web.world.publish({ case: 'accessChanged', value: { accountId } } as never);
  const cuts: [string, (device: WebDevice) => Promise<unknown>][] = [
    [
      'the link ends',
      ({ page: { deviceId }, guest, session }) => {
        // Identity ends it first.
        web.neighbours.sessions.delete(session);
        const value = { linkId: 'link', deviceId, endedGuests: [guest?.id ?? ''] };
        return web.world.publish({ case: 'guestLinkChanged', value } as never);
      },
    ],
    [
      'the session of the guest ends',
      async ({ session }) => {
        web.neighbours.sessions.delete(session);
        await redis.publish(SIGNALS.sessionsEnded, session);
      },
    ],
    ['the device has another web service', (device) => ((device.page.port = 9), device.changed())],
    ['the web service is turned off', (device) => ((device.page.enabled = false), device.changed())],
    [
      'the maker of the link loses the right',
      (device) => {
        Object.assign(web.neighbours.users.get(device.email) ?? {}, { lost: true });
        return accessChanged(device);
      },
    ],
    [
      'the account allows no guest links any more',
      (device) => {
        web.neighbours.guestLinks = false;
        return accessChanged(device);
      },
    ],
  ];

  it.each(cuts)('loses download and WebSocket within two seconds when %s', async (_when, cut) => {
    const device = await (await made()).enter();
    const sockets = await using(device);
    try {
      const from = performance.now();
      await cut(device);
      await until(() => sockets.every(isCut));
      expect(performance.now() - from).toBeLessThan(ENDED_MS);
    } finally {
      web.neighbours.guestLinks = true;
    }
    // The right is back: it revives nothing.
    await until(async () => (await device.get('/')).status === 401);
    const id = device.guest?.id ?? '';
    await until(() => audited(id).some(({ action }) => action === 'web_service.close'));
    expect(audited(id).at(-1)).toMatchObject({ kind: AuditActorKind.GUEST, action: 'web_service.close' });
  });

  it('keeps what is open while tenancy of the version before does not say whether guest links are on', async () => {
    const device = await (await made()).enter();
    const sockets = await using(device);
    const { neighbours } = web;
    const asked = () => neighbours.membersAsked.get(device.email) ?? 0;
    try {
      const before = asked();
      neighbours.guestLinks = undefined;
      await accessChanged(device);
      // An answer that settles it is not asked for again.
      await until(() => asked() >= before + 2);
    } finally {
      neighbours.guestLinks = true;
    }
    const before = asked();
    await until(() => asked() > before);
    expect(sockets.some(isCut)).toBe(false);
    expect(await device.get('/')).toMatchObject({ status: 200 });
    sockets.forEach((socket) => socket.destroy());
  });

  it('is cut off by an event that comes while an earlier one is checked', async () => {
    const device = await (await made()).enter();
    const sockets = await using(device);
    const { neighbours } = web;
    const before = neighbours.pagesAnswered;
    let release = () => {};
    neighbours.held = new Promise((resolve) => (release = resolve));
    let heard = 0;
    // Behind the handler of the sessions, so it counts what they have heard.
    const unfollow = web.world.app.get(EventFollower).follow(({ kind }) => {
      if (kind.case === 'deviceChanged' && kind.value.deviceId === device.page.deviceId) heard++;
    });
    try {
      await device.changed();
      await until(() => neighbours.pagesAnswered > before);
      device.page.port = 9;
      await device.changed();
      await until(() => heard >= 2);
    } finally {
      unfollow();
      neighbours.held = undefined;
      release();
    }
    const from = performance.now();
    await until(() => sockets.every(isCut));
    expect(performance.now() - from).toBeLessThan(ENDED_MS);
  });

  it('stays out although the cookie is used again where nothing of it is known', async () => {
    const device = await (await made()).enter();
    const stored = await redis.get(`tunnels:web:${hashOf(device.cookie.split('=')[1] ?? '')}`);
    device.page.port = 9;
    await device.changed();
    await until(async () => (await device.get('/')).status === 401);
    await redis.set(`tunnels:web:${hashOf(device.cookie.split('=')[1] ?? '')}`, stored ?? '');
    expect((await device.get('/')).status).toBe(401);
  });
});
