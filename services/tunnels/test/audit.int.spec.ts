import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { until } from '@warren/infra/until';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Fault } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { EventBus, EventRefused } from '@warren/platform/events/event.bus';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller } from '@warren/platform/rpc/caller';
import type { AuditEvent } from '@warren/proto/audit/v1/audit';
import { SocketPurpose } from '@warren/proto/identity/v1/identity';
import { once } from 'node:events';
import type { ServerHttp2Stream } from 'node:http2';
import { v7 as uuidv7 } from 'uuid';
import { PendingEvents } from '../src/audit/pending.events.ts';
import { SessionTrail } from '../src/sockets/session.trail.ts';
import type { Lease } from '../src/broker/lease.ts';
import { World } from './world.ts';

const LEFT = 1_500;

describe('the audit trail of sessions', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ redis: process.env['TEST_REDIS_URL'] ?? '', nats: process.env['TEST_NATS_URL'] ?? '' });
  });
  afterAll(async () => world?.stop());

  const audited = (about: string): AuditEvent[] =>
    world.events.flatMap(({ kind }) => (kind.case === 'audit' && kind.value.target?.id === about ? [kind.value] : []));
  const ends = (id: string) => audited(id).filter(({ action }) => action.endsWith('.close'));

  it('has the start and the end of a terminal, with the address of its browser', async () => {
    const device = world.neighbours.device();
    await world.agent(device);
    const browser = world.browser(device.id, {
      headers: { 'user-agent': 'Netscape' },
      register: { cols: 80, rows: 24 },
    });
    await until(() => audited(device.id).length === 1 && browser.heard('register_status') !== undefined);
    const { session } = browser.heard('register_status') as { session: string };
    expect(audited(device.id)[0]).toMatchObject({
      action: 'terminal.open',
      actor: { email: expect.stringContaining('@example.org') },
      origin: { address: '127.0.0.1', userAgent: 'Netscape' },
      details: JSON.stringify({ resumed: false, terminal: session }),
    });
    browser.socket.disconnect();
    await until(() => ends(device.id).length === 1);
    expect(JSON.parse(ends(device.id)[0]?.details ?? '')).toMatchObject({ terminal: session, ended: 'detached' });
  });

  it('shows and asks nothing of a device while the start cannot be recorded', async () => {
    const device = world.neighbours.device();
    let watched = 0;
    async function* watchLogs(_request: unknown, { signal }: { signal: AbortSignal }) {
      watched++;
      await once(signal, 'abort');
      yield* [];
    }
    const onConnect = (_authority: string, stream: ServerHttp2Stream) => {
      stream.on('error', () => {});
      stream.respond({ ':status': 200 });
      stream.write('RFB 003.008\n');
    };
    const agent = await world.agent(device, { logs: { watchLogs }, onConnect });
    const browsers = [
      world.browser(device.id),
      world.browser(device.id, { namespace: 'desktop', purpose: SocketPurpose.DESKTOP }),
      world.browser(device.id, { namespace: 'logs', purpose: SocketPurpose.LOGS }),
    ] as const;
    const [terminal, desktop, logs] = browsers;
    const pictures = jest.fn();
    desktop.socket.on('vnc_stream', pictures);
    const open = () => {
      terminal.socket.emit('register', { cols: 80, rows: 24 });
      terminal.socket.emit('input', { input: 'reboot\r' });
      desktop.socket.emit('start_vnc', {});
      logs.socket.emit('watch', { view: 1, unit: '', text: '', after: '' });
    };
    const hold = jest
      .spyOn(world.app.get(PendingEvents), 'hold')
      .mockRejectedValue(new Fault('unavailable', 'Redis does not answer.'));
    open();
    await until(() => terminal.heard('register_status') && desktop.heard('vnc_status') && logs.heard('failed'));
    expect(terminal.heard('register_status')).toMatchObject({ success: false, code: 'failed' });
    expect(desktop.heard('vnc_status')).toMatchObject({ success: false, error: expect.stringContaining('record') });
    expect(logs.heard('failed')).toMatchObject({ retry: true });
    expect([agent.terminals.length, pictures.mock.calls.length, watched]).toEqual([0, 0, 0]);
    hold.mockRestore();
    open();
    const starts = () => audited(device.id).map(({ action }) => action);
    await until(() => starts().length === 3 && pictures.mock.calls.length > 0 && watched === 1);
    expect(starts().toSorted()).toEqual(['desktop.open', 'logs.open', 'terminal.open']);
    for (const { socket } of browsers) socket.disconnect();
    await until(() => ends(device.id).length === 3);
  });

  it('has every end of a process that died, each once', async () => {
    const { client } = world.app.get(RedisLink);
    const outbox = world.app.get(RedisOutbox);
    const dead = new PendingEvents(world.app.get(RedisLink), outbox, { replica: uuidv7() } as Lease);
    const [left, settled] = [uuidv7(), uuidv7()];
    const closed = (id: string) =>
      auditEvent(serviceCaller('tunnels'), { action: 'terminal.close', accountId: '', target: { kind: 'device', id } });
    await Promise.all(Array.from({ length: LEFT }, () => dead.hold(closed(left))));
    const over = await dead.hold(closed(settled));
    await over.settle(closed(settled));
    await over.settle(closed(settled));
    await until(() => ends(left).length >= LEFT && ends(settled).length >= 1, 40_000);
    expect([ends(left).length, ends(settled).length]).toEqual([LEFT, 1]);
    const ids = world.events.flatMap(({ id, kind }) => (kind.case === 'audit' ? [id] : []));
    expect(new Set(ids).size).toBe(ids.length);
    await until(async () => (await client.smembers('tunnels:pending')).length <= 1, 20_000);
  });

  it('has what follows any number of events that the bus always refuses', async () => {
    const [outbox, bus] = [world.app.get(RedisOutbox), world.app.get(EventBus)];
    const [bad, good] = [uuidv7(), uuidv7()];
    const opened = (id: string) =>
      auditEvent(serviceCaller('tunnels'), { action: 'terminal.open', accountId: '', target: { kind: 'device', id } });
    const refused = Array.from({ length: 100 }, () => opened(bad));
    const ids = new Set(refused.map(({ id }) => id));
    const publish = bus.publish.bind(bus);
    const spy = jest.spyOn(bus, 'publish').mockImplementation(async (event) => {
      if (ids.has(event.id)) throw new EventRefused(undefined);
      await publish(event);
    });
    await outbox.record([...refused, opened(good)]);
    await until(() => audited(good).length === 1);
    expect(audited(bad)).toEqual([]);
    spy.mockRestore();
    await until(() => audited(bad).length === refused.length);
  });

  it('is whole when Redis stored a start and only its answer was lost', async () => {
    const outbox = world.app.get(RedisOutbox);
    const unanswered = {
      stored: (event: Event) => outbox.stored(event),
      record: async (...stored: Parameters<RedisOutbox['record']>) => {
        await outbox.record(...stored);
        throw new Fault('unavailable', 'Redis does not answer.');
      },
    } as unknown as RedisOutbox;
    const replica = uuidv7();
    const pending = new PendingEvents(world.app.get(RedisLink), unanswered, { replica } as Lease);
    const [begun, asked] = [uuidv7(), uuidv7()];
    const event = (action: 'terminal.open' | 'terminal.close', id: string) =>
      auditEvent(serviceCaller('tunnels'), { action, accountId: '', target: { kind: 'device', id } });
    const hold = (id: string, events: Event[]) => pending.hold(event('terminal.close', id), events);
    await expect(hold(begun, [event('terminal.open', begun)])).rejects.toMatchObject({ code: 'unavailable' });
    await expect(hold(asked, [])).rejects.toMatchObject({ code: 'unavailable' });
    const { client } = world.app.get(RedisLink);
    await until(async () => audited(begun).length === 2 && (await client.hlen(`tunnels:pending:${replica}`)) === 0);
    expect(
      audited(begun)
        .map(({ action }) => action)
        .toSorted(),
    ).toEqual(['terminal.close', 'terminal.open']);
    expect(audited(asked)).toEqual([]);
  });

  it('says what became of what a device was asked', async () => {
    const trail = world.app.get(SessionTrail);
    const id = uuidv7();
    const asked = { action: 'device.reboot', accountId: '', target: { kind: 'device', id } } as const;
    const caller = serviceCaller('devices');
    expect(await trail.during(caller, asked, async () => 7)).toBe(7);
    const failing = trail.during(caller, asked, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await until(() => audited(id).length === 2);
    expect(audited(id).map(({ outcome }) => outcome)).toEqual([1, 3]);
  });
});
