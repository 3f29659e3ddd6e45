import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setUp, settle, words } from '../../testing/terminal-client.ts';
import { encodeText } from './codec.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a terminal that outlives its connections', () => {
  it('sends input in flight again, from the terminal’s count', async () => {
    const t = setUp();
    await t.open();
    t.wire.last().hear('register_status', { success: true, session: 's1', offset: 0, typed: 0 });
    for (const key of 'sleep') t.client.input(encodeText(key));
    t.wire.last().hear('disconnect');
    t.client.input(encodeText(' 1'));
    await t.nextTry();
    t.wire.last().hear('connect');
    t.wire.last().hear('register_status', { success: true, session: 's1', offset: 0, typed: 3 });
    const sent = t.wire.last().payloads('input') as { input: Uint8Array }[];
    expect(sent.map((one) => words(one.input)).join('')).toBe('ep 1');
  });

  it('says which input the device has passed on, where it counts', async () => {
    const t = setUp();
    const accepted: number[] = [];
    t.client.subscribe('accepted', ({ typed }) => accepted.push(typed));
    await t.open();
    expect(t.client.input(encodeText('l'))).toBeNull();
    t.wire.last().hear('register_status', { success: true, session: 's1', offset: 0, typed: 7 });
    expect(t.client.input(encodeText('ü'))).toBe(9);
    t.wire.last().hear('accepted', { typed: 9 });
    expect(accepted).toEqual([9]);
    t.wire.last().hear('disconnect');
    expect(t.client.input(encodeText('s'))).toBeNull();
  });

  it('does not ask again for a terminal that is gone, or that is not to be had any more', async () => {
    for (const [code, state] of [
      ['gone', 'fail'],
      ['withdrawn', 'disconnected'],
      ['limit', 'fail'],
    ] as const) {
      const t = setUp();
      await t.open();
      t.wire.last().hear('register_status', { success: false, error: 'because', code });
      expect(t.client.status).toMatchObject({ state, reason: expect.stringContaining('because') });
      expect(t.client.status.retryAt).toBeUndefined();
      expect(t.client.resumable).toBeNull();
    }
  });

  it('leaves a terminal that another window has taken, and takes it back on Reconnect alone', async () => {
    const t = setUp();
    await t.open();
    t.say('mine', 0);
    t.wire.last().hear('register_status', { success: false, error: 'taken over', code: 'taken_over' });
    expect(t.client.status).toEqual({ state: 'disconnected', reason: 'This terminal was opened in another window.' });
    expect(t.client.resumable).toBeNull();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(t.wire.sockets).toHaveLength(1);
    t.client.connect();
    await settle();
    t.wire.last().hear('connect');
    expect(t.wire.last().payloads('register')).toMatchObject([{ session: 's1', offset: 4 }]);
  });

  it('follows a device that moved at once, and says for how long it was away, and when it is back', async () => {
    const t = setUp();
    let back = 0;
    t.client.subscribe('back', () => (back += 1));
    await t.open();
    t.wire.last().hear('client_disconnect', { reason: 'again', code: 'moved' });
    expect(t.client.status).toMatchObject({ state: 'connecting', away: { tries: 1 } });
    await settle();
    t.wire.last().hear('client_disconnect', { reason: 'again', code: 'moved' });
    expect(t.client.status).toMatchObject({ state: 'client_disconnect', away: { tries: 2 } });
    expect(back).toBe(0);
    await t.nextTry();
    t.accept('s1', 0);
    expect(back).toBe(1);
    expect(t.client.status).toEqual({ state: 'connected' });
  });
});

describe('another terminal of the same person', () => {
  it('is drawn from its beginning, on a cleared screen, and takes nothing of what was typed for this one', async () => {
    const t = setUp();
    const fresh: boolean[] = [];
    t.client.subscribe('fresh', ({ chosen }) => fresh.push(chosen));
    await t.open();
    t.say('first', 0);
    t.wire.last().hear('disconnect');
    t.client.input(encodeText('secret'));
    t.client.open('s9');
    await settle();
    t.wire.last().hear('connect');
    expect(t.wire.last().payloads('register')).toMatchObject([{ session: 's9', offset: 0 }]);
    t.wire.last().hear('register_status', { success: true, session: 's9', offset: 0, typed: 0 });
    expect(t.wire.last().payloads('input')).toEqual([]);
    expect([fresh, t.client.resumable]).toEqual([[true], 's9']);
  });

  it('says so when it has ended meanwhile, and Reconnect opens a new one', async () => {
    const t = setUp();
    await t.open();
    t.client.open('s9');
    await settle();
    t.wire.last().hear('connect');
    t.wire.last().hear('register_status', { success: false, error: 'ended', code: 'gone' });
    expect(t.client.status).toEqual({ state: 'fail', reason: 'ended' });
    await t.open('s10', 0);
    expect(t.client.resumable).toBe('s10');
  });
});
