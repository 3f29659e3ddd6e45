import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { AuditActorKind, type AuditEvent } from '@warren/proto/audit/v1/audit';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { WebVisits } from '../../src/web/web.session.ts';
import { WebDevice } from './web.device.ts';
import { bodyOf, WebWorld } from './web.world.ts';

/** What the server on the device has seen of one visitor. */
interface Seen {
  requests: number;
  bytes_to_device: number;
  bytes_from_device: number;
}

describe('the end of a visit to a web service in the audit trail', () => {
  let web: WebWorld;
  let server: Server;
  let seen: Map<string, Seen>;
  const sockets = new Set<Socket>();

  const of = ({ headers }: IncomingMessage): Seen => {
    const visitor = String(headers['x-visitor']);
    const known = seen.get(visitor) ?? { requests: 0, bytes_to_device: 0, bytes_from_device: 0 };
    seen.set(visitor, known);
    return known;
  };

  beforeAll(async () => {
    web = await WebWorld.start();
    seen = new Map();
    const before = new WeakMap<Socket, { read: number; written: number }>();
    /** Counts what a connection has carried since the request before. */
    const count = (socket: Socket, visitor: Seen) => {
      const { read, written } = before.get(socket) ?? { read: 0, written: 0 };
      visitor.bytes_to_device += socket.bytesRead - read;
      visitor.bytes_from_device += socket.bytesWritten - written;
      before.set(socket, { read: socket.bytesRead, written: socket.bytesWritten });
    };
    server = createServer(async (request, response) => {
      sockets.add(request.socket);
      const visitor = of(request);
      visitor.requests++;
      const body = await bodyOf(request);
      response.once('finish', () => count(request.socket, visitor));
      response.end(`${request.url} ${body}`);
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      const visitor = of(request);
      visitor.requests++;
      socket.on('error', () => {});
      socket.once('close', () => count(request.socket, visitor));
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.pipe(socket);
    });
  });
  afterAll(async () => {
    await web?.stop();
    server?.closeAllConnections();
    server?.close();
  });

  const ends = (actor: string): { kind: AuditActorKind | undefined; details: Record<string, unknown> }[] =>
    web.world.events.flatMap(({ kind }) => {
      const event: AuditEvent | undefined = kind.case === 'audit' ? kind.value : undefined;
      if (event?.actor?.id !== actor || event.action !== 'web_service.close') return [];
      return [{ kind: event.actor.kind, details: JSON.parse(event.details) }];
    });
  /** Another person of the device's account. */
  const another = ({ page, agent }: WebDevice): Promise<WebDevice> => {
    const device = new WebDevice(web.world, web.neighbours, page, uuidv7(), agent);
    web.neighbours.users.set(device.email, { id: device.userId, accountId: page.accountId, active: true });
    web.neighbours.sessions.add(device.session);
    return device.enter();
  };
  const echoed = async (device: WebDevice, text: string, visitor: string) => {
    const socket = await device.open();
    let got = '';
    socket.on('data', (data: Buffer) => (got += data.toString('latin1')));
    const head = [
      ...['GET /socket HTTP/1.1', `Host: ${device.host}`, `Cookie: ${device.cookie}`, `Origin: ${device.origin}`],
      ...[`X-Visitor: ${visitor}`, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a'],
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await until(() => got.endsWith('\r\n\r\n'));
    socket.write(text);
    await until(() => got.endsWith(text));
    return socket;
  };

  it('has the requests and bytes of a guest, apart from those of others by the same link', async () => {
    const made = Object.assign(await web.device(server), { guest: { id: randomUUID() } });
    const guest = await made.enter();
    const member = await another(guest);
    for (const size of [1, 200, 4_000]) {
      expect((await guest.get(`/${'g'.repeat(size)}`, 'X-Visitor: guest')).status).toBe(200);
      expect((await member.get('/m', 'X-Visitor: member', `X-Fill: ${'f'.repeat(300)}`)).status).toBe(200);
    }
    // Without the fast path connections carry one request each.
    expect(sockets.size).toBe(process.env['WARREN_FAST_PATH'] === 'off' ? 6 : 1);
    const posted = await guest.send('POST', '/p', 'b'.repeat(30_000), 'Content-Length: 30000', 'X-Visitor: guest');
    expect(posted.body).toHaveLength(30_003);
    const socket = await echoed(guest, 'w'.repeat(5_000), 'guest');

    const id = guest.guest?.id ?? '';
    const value = { linkId: 'link', deviceId: guest.page.deviceId, endedGuests: [id] };
    web.neighbours.sessions.delete(guest.session);
    await web.world.publish({ case: 'guestLinkChanged', value } as never);
    await until(() => ends(id).length === 1 && (socket.destroyed || socket.readableEnded));
    const counted = () => seen.get('guest') ?? { requests: 0, bytes_to_device: 0, bytes_from_device: 0 };
    // The server counts a WebSocket at its end.
    await until(() => counted().bytes_from_device > 4_201 + 30_000 + 5_000);
    expect(counted().requests).toBe(5);
    expect(counted().bytes_to_device).toBeGreaterThan(30_000 + 5_000);
    expect(ends(id)).toMatchObject([{ kind: AuditActorKind.GUEST, details: { ended: 'withdrawn', ...counted() } }]);

    web.world.app.get(WebVisits).sweep(Number.POSITIVE_INFINITY);
    await until(() => ends(member.userId).length === 1);
    expect(seen.get('member')?.requests).toBe(3);
    expect(ends(member.userId)).toMatchObject([{ details: { ended: 'left', ...seen.get('member') } }]);
  });

  it('has the requests of that visit only', async () => {
    const device = await (await web.device(server)).enter();
    const visits = web.world.app.get(WebVisits);
    for (const requests of [2, 1]) {
      for (let count = 0; count < requests; count++) await device.get('/', `X-Visitor: ${requests}`);
      visits.sweep(Number.POSITIVE_INFINITY);
    }
    await until(() => ends(device.userId).length === 2);
    expect([seen.get('2')?.requests, seen.get('1')?.requests]).toEqual([2, 1]);
    expect(ends(device.userId).map(({ details }) => details)).toMatchObject([seen.get('2') ?? {}, seen.get('1') ?? {}]);
  });

  it('has what was carried until the process stops', async () => {
    const stopping = await WebWorld.start();
    const device = await (await stopping.device(server)).enter();
    await device.get('/', 'X-Visitor: last');
    await stopping.stop();
    await until(() => ends(device.userId).length === 1);
    expect(ends(device.userId)).toMatchObject([{ details: { ended: 'left', ...seen.get('last') } }]);
    expect(seen.get('last')?.requests).toBe(1);
  });

  it('has zeros where nothing was asked for', async () => {
    const device = await (await web.device(server)).enter();
    web.world.app.get(WebVisits).sweep(Number.POSITIVE_INFINITY);
    await until(() => ends(device.userId).length === 1);
    const nothing = { requests: 0, bytes_to_device: 0, bytes_from_device: 0 };
    expect(ends(device.userId)).toMatchObject([{ details: { ended: 'left', ...nothing } }]);
  });
});
