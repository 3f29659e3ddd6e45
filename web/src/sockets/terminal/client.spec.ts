import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setUp, settle, ticket, words } from '../../testing/terminal-client.ts';
import { encodeText } from './codec.ts';
import { TicketRefused } from '../ticket.ts';
import type { Ticket } from '../ticket.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a first connection', () => {
  it('goes by connecting and wait to connected', async () => {
    const t = setUp();
    await t.open();
    expect(t.states).toEqual(['connecting', 'wait', 'connected']);
    const register = {
      client_sid: 'agent-1',
      browser_sid: '',
      cols: 80,
      rows: 24,
      encoding: 'binary',
      text: true,
      acks: true,
      writer: expect.any(String),
      join: true,
    };
    expect(t.wire.last().ticket).toEqual({ token: 't', user: 'u', register });
    expect(t.wire.last().payloads('register')).toEqual([{ ...register, browser_sid: 'browser-1', again: true }]);
  });

  it('is an error when the server does not answer within 5 seconds', async () => {
    const t = setUp();
    t.client.connect();
    await settle();
    await jest.advanceTimersByTimeAsync(4_999);
    expect(t.client.status.state).toBe('connecting');
    await jest.advanceTimersByTimeAsync(1);
    expect(t.client.status.state).toBe('error');
    expect(t.wire.last().closed).toBe(true);
  });

  it('is an error when no ticket comes within 5 seconds, and a late one changes nothing', async () => {
    let give: (ticket: Ticket) => void = () => undefined;
    const t = setUp(() => new Promise((resolve) => (give = resolve)));
    t.client.connect();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(t.client.status.state).toBe('error');
    give(ticket);
    await settle();
    expect(t.wire.sockets).toHaveLength(0);
  });

  it('fails at once on a device that is not connected', async () => {
    const t = setUp(() => Promise.resolve({ ...ticket, device: '' }));
    t.client.connect();
    await settle();
    expect(t.client.status).toMatchObject({ state: 'fail' });
    expect(t.client.status.retryAt).toBeUndefined();
  });

  it('tells why a ticket or a shell was refused', async () => {
    const refused = setUp(() => Promise.reject(new TicketRefused('The console is switched off.', false)));
    refused.client.connect();
    await settle();
    expect(refused.client.status).toEqual({ state: 'error', reason: 'The console is switched off.' });

    const t = setUp();
    t.client.connect();
    await settle();
    t.wire.last().hear('connect');
    t.wire.last().hear('register_status', { success: false, error: 'No such user.' });
    expect(t.client.status).toEqual({ state: 'fail', reason: 'No such user.' });
  });

  it('sends what was typed ahead', async () => {
    const t = setUp();
    t.client.connect();
    t.client.input(encodeText('ls\r'));
    await settle();
    t.accept('s1', 0);
    const [input] = t.wire.last().payloads('input') as { input: Uint8Array; client_sid: string }[];
    expect(words(input!.input)).toBe('ls\r');
    expect(input!.client_sid).toBe('agent-1');
  });
});

describe('a connection that breaks', () => {
  it('comes back to the same terminal from the next byte, with a new ticket', async () => {
    const ask = jest.fn(() => Promise.resolve(ticket));
    const t = setUp(ask);
    await t.open();
    t.say('hello', 0);
    t.wire.last().hear('disconnect', 'transport close');
    expect(t.client.status.state).toBe('disconnected');
    expect(t.client.status.retryAt).toBeGreaterThan(Date.now());
    await t.nextTry();
    t.wire.last().hear('connect');
    expect(t.wire.last().ticket.register).toMatchObject({ session: 's1', offset: 5 });
    expect(t.wire.last().payloads('register')).toMatchObject([{ session: 's1', offset: 5 }]);
    t.wire.last().hear('register_status', { success: true, session: 's1', offset: 5 });
    t.say(' world', 5);
    expect(t.output).toEqual(['hello', ' world']);
    expect(t.fresh).toEqual([]);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(t.client.status.state).toBe('connected');
  });

  it('waits while the device is away', async () => {
    let device = 'agent-1';
    const t = setUp(() => Promise.resolve({ ...ticket, device }));
    await t.open();
    t.wire.last().hear('client_disconnect', { reason: 'link lost' });
    expect(t.client.status).toMatchObject({ state: 'client_disconnect', reason: 'link lost' });
    device = '';
    await t.nextTry();
    expect(t.client.status.state).toBe('client_disconnect');
    device = 'agent-2';
    t.client.retryNow();
    await settle();
    t.accept('s1', 0);
    expect(t.client.status.state).toBe('connected');
  });

  it('says what was lost, once', async () => {
    const t = setUp();
    await t.open();
    t.say('abc', 0);
    t.wire.last().hear('disconnect');
    await t.nextTry();
    t.accept('s1', 100);
    t.say('xyz', 100);
    expect(t.gaps).toEqual([97]);
    expect(t.output).toEqual(['abc', 'xyz']);
  });

  it('holds typing back and sends it to the same terminal only', async () => {
    const t = setUp();
    const held: number[] = [];
    t.client.subscribe('held', ({ keys }) => held.push(keys));
    await t.open();
    t.wire.last().hear('disconnect');
    t.client.input(encodeText('a'));
    t.client.input(encodeText('b'));
    expect(held.at(-1)).toBe(2);
    await t.nextTry();
    t.accept('s1', 0);
    const sent = t.wire.last().payloads('input') as { input: Uint8Array }[];
    expect(sent.map((one) => words(one.input))).toEqual(['a', 'b']);
    expect(held.at(-1)).toBe(0);
  });

  it('drops what was typed for a shell that is gone, and opens another on Reconnect', async () => {
    const t = setUp();
    await t.open();
    t.say('vim', 0);
    t.wire.last().hear('disconnect');
    t.client.input(encodeText('rm -rf /\r'));
    for (let refusal = 0; refusal < 3; refusal++) {
      await t.nextTry();
      t.wire.last().hear('connect');
      t.wire.last().hear('register_status', { success: false, error: 'This terminal has ended.' });
    }
    expect(t.client.status).toEqual({ state: 'fail', reason: 'This terminal has ended.' });
    await t.open('s2', 0);
    expect(t.wire.last().payloads('register')).not.toMatchObject([{ session: expect.anything() }]);
    expect(t.wire.last().payloads('input')).toEqual([]);
    expect(t.fresh).toEqual(['s2']);
    t.say('new', 0);
    expect(t.output).toEqual(['vim', 'new']);
  });

  it('keeps trying with growing waits while the hub is away', async () => {
    let up = true;
    const t = setUp(() => (up ? Promise.resolve(ticket) : Promise.reject(new TicketRefused('No answer.', true))));
    await t.open();
    up = false;
    t.wire.last().hear('disconnect');
    for (let round = 0; round < 8; round++) await t.nextTry();
    expect(t.client.status).toMatchObject({ state: 'error', reason: 'No answer.' });
    expect(t.client.status.retryAt! - Date.now()).toBeLessThanOrEqual(5_000);
    up = true;
    await t.nextTry();
    t.accept('s1', 0);
    expect(t.client.status.state).toBe('connected');
  });
});

describe('a running terminal', () => {
  it('confirms what was drawn, in bytes since the terminal was opened', async () => {
    const t = setUp();
    await t.open();
    t.say('€uro', 0);
    t.client.parsed(6);
    await jest.advanceTimersByTimeAsync(50);
    expect(t.wire.last().payloads('ack')).toEqual([{ offset: 6 }]);
  });

  it('tells a new size, and not the same one again', async () => {
    const t = setUp();
    await t.open();
    const before = t.wire.last().payloads('resize').length;
    t.client.resize({ cols: 100, rows: 30 });
    t.client.resize({ cols: 100, rows: 30 });
    expect(t.wire.last().payloads('resize').slice(before)).toEqual([
      { cols: 100, rows: 30, device_sid: 'agent-1', browser_sid: 'browser-1' },
    ]);
  });

  it('ends with the shell, and stays ended', async () => {
    const t = setUp();
    await t.open();
    t.wire.last().hear('exit', { code: 3, signal: '' });
    expect(t.client.status).toEqual({ state: 'exit', exit: { code: 3, signal: null } });
    expect(t.client.resumable).toBeNull();
    t.client.input(encodeText('x'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(t.wire.sockets).toHaveLength(1);
  });

  it('leaves without ending the shell', async () => {
    const t = setUp();
    await t.open();
    t.client.detach();
    expect(t.wire.last().payloads('close')).toEqual([]);
    expect(t.wire.last().closed).toBe(true);
    expect(t.client.resumable).toBe('s1');
  });
});

describe('a terminal from before the page was loaded', () => {
  it('is drawn from its beginning', async () => {
    const t = setUp(undefined, 's0');
    t.client.connect();
    await settle();
    t.wire.last().hear('connect');
    expect(t.wire.last().payloads('register')).toMatchObject([{ session: 's0', offset: 0 }]);
    t.wire.last().hear('register_status', { success: true, session: 's0', offset: 4096 });
    t.say('tail', 4096);
    expect(t.output).toEqual(['tail']);
    expect(t.gaps).toEqual([]);
  });

  it('gives way to a new one when it has ended', async () => {
    const t = setUp(undefined, 's0');
    t.client.connect();
    await settle();
    t.wire.last().hear('connect');
    t.wire.last().hear('register_status', { success: false, error: 'ended', code: 'gone' });
    await settle();
    t.accept('s1', 0);
    expect(t.client.status.state).toBe('connected');
    expect(t.client.resumable).toBe('s1');
  });
});
