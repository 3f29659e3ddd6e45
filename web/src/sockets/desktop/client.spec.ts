import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeSockets } from '../../testing/fake-socket.ts';
import type { SessionRecording } from '../recording.ts';
import { TicketRefused } from '../ticket.ts';
import type { Ticket } from '../ticket.ts';
import type { DesktopChannel } from './channel.ts';
import { DesktopClient } from './client.ts';
import type { ViewEvents } from './types.ts';

const ticket: Ticket = { token: 't', user: 'u', device: 'agent-1' };
const settle = () => jest.advanceTimersByTimeAsync(0);

function setUp(ask: () => Promise<Ticket> = () => Promise.resolve(ticket)) {
  const wire = fakeSockets();
  const views: { channel: DesktopChannel; events: ViewEvents; closed: boolean }[] = [];
  const client = new DesktopClient({
    openSocket: wire.open,
    ticket: ask,
    view: (channel, events) => {
      const view = { channel, events, closed: false };
      views.push(view);
      return { close: () => void (view.closed = true) };
    },
  });
  const states: string[] = [];
  client.subscribe('status', ({ state }) => states.push(state));
  const accepted = async () => {
    client.connect();
    await settle();
    wire.last().hear('connect');
    wire.last().hear('vnc_status', { success: true });
  };
  const shown = async () => {
    await accepted();
    views.at(-1)?.events.connected();
  };
  return { client, wire, states, accepted, shown, view: () => views.at(-1)! };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a desktop', () => {
  it('is asked for in binary, and carries bytes both ways', async () => {
    const t = setUp();
    await t.shown();
    expect(t.states).toEqual(['connecting', 'connected']);
    expect(t.wire.last().payloads('start_vnc')).toEqual([
      { client_sid: 'agent-1', browser_sid: 'browser-1', encoding: 'binary' },
    ]);
    const got: unknown[] = [];
    t.view().channel.onmessage = ({ data }) => got.push(...new Uint8Array(data as ArrayBuffer));
    t.wire.last().hear('vnc_stream', { data: new Uint8Array([1, 2]).buffer });
    expect(got).toEqual([1, 2]);
    t.view().channel.send(new Uint8Array([3]));
    expect(t.wire.last().payloads('vnc_input')).toEqual([
      { client_sid: 'agent-1', browser_sid: 'browser-1', data: new Uint8Array([3]) },
    ]);
  });

  it('tells that its person works in it, once in a while, and not by itself', async () => {
    const t = setUp();
    t.client.used();
    await t.shown();
    t.wire.last().hear('vnc_stream', { data: new Uint8Array([1]).buffer });
    expect(t.wire.last().payloads('used')).toHaveLength(0);
    for (let times = 0; times < 10; times++) t.client.used();
    expect(t.wire.last().payloads('used')).toHaveLength(1);
    jest.setSystemTime(Date.now() + 31_000);
    t.client.used();
    expect(t.wire.last().payloads('used')).toHaveLength(2);
  });

  it.each(['offline', 'refused', 'timeout', 'not_allowed', 'busy', 'unsupported', 'withdrawn', 'unrecorded'])(
    'that never was ends with why: %s',
    async (code) => {
      const t = setUp();
      t.client.connect();
      await settle();
      t.wire.last().hear('vnc_status', { success: false, code, error: 'Words.' });
      expect(t.client.status).toEqual({ state: 'disconnected', clean: false, problem: code, reason: 'Words.' });
      expect(t.wire.last().closed).toBe(true);
    },
  );

  it('says how it is recorded, and forgets that with the connection', async () => {
    const t = setUp();
    const seen: (SessionRecording | null)[] = [];
    t.client.subscribe('recording', (one) => seen.push(one));
    await t.shown();
    const mark = { recorded: true, mode: 'required', since: 1, state: 'recording', reason: '' };
    t.wire.last().hear('recording', mark);
    t.wire.last().hear('recording', { ...mark, state: 'waiting', reason: 'The store is full.' });
    t.wire.last().hear('recording', { ...mark, recorded: false, state: 'stopped', reason: 'Too slow.' });
    t.client.disconnect();
    t.view().events.ended();
    expect(seen).toEqual([
      null,
      { mode: 'required', state: 'recording', reason: '' },
      { mode: 'required', state: 'waiting', reason: 'The store is full.' },
      { mode: 'required', state: 'stopped', reason: 'Too slow.' },
      null,
    ]);
  });

  it('that must be recorded is tried again once it was shown', async () => {
    const t = setUp();
    await t.shown();
    t.wire.last().hear('client_disconnect', { code: 'unrecorded', reason: 'The recording was closed.' });
    expect(t.client.status).toMatchObject({ problem: 'unrecorded', reason: 'The recording was closed.' });
    expect(t.client.status.retryAt).toBeGreaterThan(0);
  });

  it('needs token, user and device', async () => {
    const anonymous = setUp(() => Promise.resolve({ ...ticket, user: '' }));
    anonymous.client.connect();
    await settle();
    expect(anonymous.client.status).toMatchObject({ state: 'disconnected', problem: 'hub' });
    const offline = setUp(() => Promise.resolve({ ...ticket, device: '' }));
    offline.client.connect();
    await settle();
    expect(offline.client.status).toMatchObject({ problem: 'offline' });
    expect([...anonymous.wire.sockets, ...offline.wire.sockets]).toEqual([]);
  });

  it('that was lost comes back by itself, also when that takes several tries', async () => {
    let up = true;
    const t = setUp(() => (up ? Promise.resolve(ticket) : Promise.reject(new TicketRefused('No answer.', true))));
    await t.shown();
    const first = t.view();
    up = false;
    t.wire.last().hear('disconnect');
    expect(t.client.status).toMatchObject({ state: 'disconnected', clean: false, problem: 'hub' });
    expect(t.client.status.retryAt).toBeGreaterThan(Date.now());
    expect(first.closed).toBe(true);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(t.client.status).toMatchObject({ reason: 'No answer.' });
    up = true;
    await jest.advanceTimersByTimeAsync(5_000);
    t.wire.last().hear('connect');
    t.wire.last().hear('vnc_status', { success: true });
    t.view().events.connected();
    expect(t.client.status).toEqual({ state: 'connected' });
    first.events.failed('protocol', 'late');
    expect(t.client.status).toEqual({ state: 'connected' });
  });

  it.each([
    ['moved', 'gone'],
    ['lost', 'gone'],
  ])('comes back when the hub says that it was %s', async (code, problem) => {
    const t = setUp();
    await t.shown();
    t.wire.last().hear('client_disconnect', { code, reason: 'Why.' });
    expect(t.client.status).toMatchObject({ problem, reason: 'Why.', retryAt: expect.any(Number) });
  });

  it('stays away when its right was withdrawn, or the server was not content', async () => {
    const withdrawn = setUp();
    await withdrawn.shown();
    withdrawn.wire.last().hear('vnc_status', { success: false, code: 'withdrawn', error: 'Disabled.' });
    expect(withdrawn.client.status).toEqual({
      state: 'disconnected',
      clean: false,
      problem: 'withdrawn',
      reason: 'Disabled.',
    });
    const refused = setUp();
    await refused.accepted();
    refused.view().events.failed('security', 'Wrong password');
    expect(refused.client.status).toEqual({
      state: 'disconnected',
      clean: false,
      problem: 'security',
      reason: 'Wrong password',
    });
    await jest.advanceTimersByTimeAsync(60_000);
    expect([withdrawn.wire.sockets.length, refused.wire.sockets.length]).toEqual([1, 1]);
  });

  it('ends cleanly when the server does', async () => {
    const t = setUp();
    await t.shown();
    const closed = jest.fn();
    t.view().channel.onclose = closed;
    t.wire.last().hear('client_disconnect', { code: 'ended', reason: 'Over.' });
    expect(closed).toHaveBeenCalledTimes(1);
    t.view().events.ended();
    expect(t.client.status).toEqual({ state: 'disconnected', clean: true, problem: 'ended' });
  });

  it('goes by disconnecting to disconnected when the user leaves, after 3 seconds at the latest', async () => {
    const t = setUp();
    await t.shown();
    t.client.disconnect();
    expect(t.client.status).toEqual({ state: 'disconnecting' });
    await jest.advanceTimersByTimeAsync(2_999);
    expect(t.client.status.state).toBe('disconnecting');
    await jest.advanceTimersByTimeAsync(1);
    expect(t.client.status).toEqual({ state: 'disconnected', clean: true });
  });

  it('has not failed when the user leaves while the server still asks who it is', async () => {
    const t = setUp();
    await t.accepted();
    t.client.disconnect();
    t.view().events.failed('protocol', 'Connection closed (code: 1000)');
    expect(t.client.status).toEqual({ state: 'disconnected', clean: true });
  });

  it('times out when the other end is silent, but not while the person signs in', async () => {
    const silent = setUp();
    await silent.accepted();
    await jest.advanceTimersByTimeAsync(12_000);
    expect(silent.client.status).toMatchObject({ state: 'disconnected', problem: 'timeout' });
    const asking = setUp();
    await asking.accepted();
    asking.wire.last().hear('vnc_stream', { data: new Uint8Array([82]).buffer });
    await jest.advanceTimersByTimeAsync(600_000);
    expect(asking.client.status).toEqual({ state: 'connecting' });
  });

  it('starts when the device is back', async () => {
    let device = '';
    const t = setUp(() => Promise.resolve({ ...ticket, device }));
    t.client.connect();
    await settle();
    device = 'agent-2';
    t.client.wake();
    await settle();
    expect(t.wire.last().ticket).toMatchObject({ token: 't' });
  });

  it('measures its latency every two seconds', async () => {
    const t = setUp();
    const measured: number[] = [];
    t.client.subscribe('latency', ({ ms }) => measured.push(ms));
    await t.shown();
    const probe = t.wire.last().sent.find(({ event }) => event === 'probe');
    await jest.advanceTimersByTimeAsync(40);
    probe?.answered?.();
    expect(measured).toEqual([40]);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(t.wire.last().payloads('probe')).toHaveLength(3);
    t.client.detach();
    probe?.answered?.();
    expect(measured).toHaveLength(1);
  });
});
