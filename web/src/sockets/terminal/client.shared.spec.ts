import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeSockets } from '../../testing/fake-socket.ts';
import { settle, setUp, ticket } from '../../testing/terminal-client.ts';
import { TerminalClient } from './client.ts';
import { encodeText } from './codec.ts';
import type { PeopleInTerminal } from './types.ts';

describe('a shared terminal', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('continues at a snapshot, and acknowledges it when all before it is drawn', async () => {
    const t = setUp();
    const drawn: string[] = [];
    t.client.subscribe('redraw', ({ bytes }) => drawn.push(new TextDecoder().decode(bytes)));
    await t.open();
    t.say('hello', 0);
    t.wire.last().hear('snapshot', { offset: 9_000, data: encodeText('the screen'), cols: 80, rows: 24 });
    t.say(' more', 9_000);
    expect([t.output, drawn, t.gaps]).toEqual([['hello', ' more'], ['the screen'], []]);
    t.client.parsed(5);
    t.client.parsed(0);
    await jest.advanceTimersByTimeAsync(100);
    expect(t.wire.last().payloads('ack')).toEqual([{ offset: 9_000 }]);
    t.client.parsed(5);
    await jest.advanceTimersByTimeAsync(100);
    expect(t.wire.last().payloads('ack').at(-1)).toEqual({ offset: 9_005 });
  });

  it('asks the owner as long as that takes, and types nothing as a reader', async () => {
    const wire = fakeSockets();
    const options = { openSocket: wire.open, size: { cols: 80, rows: 24 }, session: 's1', asks: true };
    const client = new TerminalClient({ ...options, ticket: () => Promise.resolve(ticket) });
    const seen: PeopleInTerminal[] = [];
    client.subscribe('people', (people) => seen.push(people));
    client.connect();
    await settle();
    wire.last().hear('connect');
    expect(wire.last().ticket.register).toMatchObject({ session: 's1', join: true, ask: 'reader' });
    wire.last().hear('asking', { role: 'reader' });
    await jest.advanceTimersByTimeAsync(600_000);
    expect(client.status).toEqual({ state: 'wait', asking: true });

    const status = { success: true, session: 's1', offset: 0, role: 'reader', size: { cols: 60, rows: 20 } };
    wire.last().hear('register_status', status);
    wire.last().hear('people', { people: [{ id: 'a', user: 'u1', email: 'a@x.org', role: 'writer', owner: true }] });
    expect(seen.at(-1)?.people).toEqual([
      { id: 'a', user: 'u1', email: 'a@x.org', role: 'writer', owner: true, observes: false, you: false },
    ]);
    client.input(encodeText('ls'));
    expect(wire.last().payloads('input')).toEqual([]);
    // Its own terminals are remembered, not those of others.
    expect(client.resumable).toBeNull();

    wire.last().hear('register_status', { success: false, code: 'removed', error: 'It ended.' });
    expect(client.status).toMatchObject({ state: 'disconnected', reason: 'It ended.' });
    client.connect();
    await settle();
    expect(wire.last().ticket.register).toMatchObject({ session: 's1', ask: 'reader' });
  });

  it('sets the size until that is given up, also after a disconnect', async () => {
    const t = setUp();
    const mine: boolean[] = [];
    t.client.subscribe('role', (own) => mine.push(own.mine));
    await t.open();
    t.client.sharing.sizeBy(true);
    expect(t.wire.last().payloads('sizing')).toEqual([{ mine: true }]);
    t.wire.last().hear('disconnect');
    await t.nextTry();
    t.accept('s1', 0);
    expect(t.wire.sockets).toHaveLength(2);
    expect(t.wire.last().payloads('sizing')).toEqual([{ mine: true }]);
    // Who only watches sets no size, nor does who types again later.
    const back = (role: string) => ({ success: true, session: 's1', offset: 0, role });
    t.wire.last().hear('register_status', back('reader'));
    t.wire.last().hear('register_status', back('writer'));
    expect(t.wire.last().payloads('sizing')).toEqual([{ mine: true }]);
    t.client.sharing.sizeBy(true);
    t.client.sharing.sizeBy(false);
    t.wire.last().hear('disconnect');
    await t.nextTry();
    t.accept('s1', 0);
    expect(t.wire.last().payloads('sizing')).toEqual([]);
    expect(mine).toEqual([false, true, true, false, false, true, false, false]);
  });

  it('sets the size of no other terminal', async () => {
    const t = setUp();
    await t.open();
    t.client.sharing.sizeBy(true);
    t.client.open('s2');
    await settle();
    t.accept('s2', 0);
    expect(t.wire.last().payloads('sizing')).toEqual([]);
  });

  it('does not come back by itself where it is too slow for the screen', async () => {
    const t = setUp();
    await t.open();
    const error = 'the screen is too large';
    t.wire.last().hear('register_status', { success: false, code: 'screen', error });
    expect(t.client.status).toEqual({ state: 'disconnected', reason: error });
  });

  it('takes over once, when asked to', async () => {
    const t = setUp();
    await t.open();
    t.client.open('s2', true);
    await settle();
    expect(t.wire.last().ticket.register).toMatchObject({ session: 's2', join: false });
    t.accept('s2', 0);
    t.client.connect();
    await settle();
    expect(t.wire.last().ticket.register).toMatchObject({ session: 's2', join: true });
  });
});
