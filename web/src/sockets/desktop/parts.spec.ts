import { describe, expect, it, jest } from '@jest/globals';
import { DEFAULT_LEVELS, LinkAdapter } from './adapt.ts';
import { DesktopChannel, streamBytes } from './channel.ts';
import { chord, keyCode, keysymOf, typedSince } from './keys.ts';
import { decodeEnd, decodeRefusal, decodeStatus } from './messages.ts';

describe('the levels that adapt', () => {
  const feed = (adapter: LinkAdapter, ms: number, count: number) =>
    Array.from({ length: count }, () => adapter.measured(ms)).filter(Boolean).length;

  it('begin with quality 6 and compression 2, and stay there on an ordinary link', () => {
    const adapter = new LinkAdapter();
    expect(adapter.levels).toEqual({ quality: 6, compression: 2 });
    expect(feed(adapter, 120, 50)).toBe(0);
    expect(adapter.levels).toBe(DEFAULT_LEVELS);
  });

  it('get leaner on a slow link, to the leanest there is, and finer again on a quick one', () => {
    const adapter = new LinkAdapter();
    expect(feed(adapter, 900, 1)).toBe(0);
    expect(feed(adapter, 900, 1)).toBe(1);
    expect(adapter.levels).toEqual({ quality: 4, compression: 4 });
    feed(adapter, 900, 20);
    expect(adapter.levels).toEqual({ quality: 0, compression: 9 });
    feed(adapter, 10, 100);
    expect(adapter.levels).toEqual({ quality: 8, compression: 1 });
  });

  it('do not follow one late answer', () => {
    const adapter = new LinkAdapter();
    for (let round = 0; round < 10; round++) {
      expect(adapter.measured(2_000)).toBe(false);
      expect(adapter.measured(100)).toBe(false);
    }
  });
});

describe('the channel', () => {
  it('copies what is sent, since its owner uses the buffer again', () => {
    const sent: number[][] = [];
    const channel = new DesktopChannel({ send: (bytes) => sent.push([...bytes]), closed: () => undefined });
    const buffer = new Uint8Array([1, 2, 3]);
    let kept: Uint8Array | undefined;
    new DesktopChannel({ send: (bytes) => (kept = bytes), closed: () => undefined }).send(buffer);
    channel.send(buffer.subarray(0, 2));
    buffer.fill(9);
    expect(sent).toEqual([[1, 2]]);
    expect([...(kept ?? [])]).toEqual([1, 2, 3]);
  });

  it('says once that it is closed, and neither takes nor gives bytes afterwards', async () => {
    const [send, closed, onmessage, onclose] = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
    const channel = new DesktopChannel({ send, closed });
    Object.assign(channel, { onmessage, onclose });
    channel.receive(new Uint8Array([7]).buffer);
    expect(onmessage).toHaveBeenCalledTimes(1);
    channel.close();
    channel.close();
    expect(channel.readyState).toBe('closing');
    await Promise.resolve();
    channel.end();
    expect([channel.readyState, onclose.mock.calls.length, closed.mock.calls.length]).toEqual(['closed', 1, 1]);
    channel.send(new Uint8Array([1]));
    channel.receive(new Uint8Array([1]).buffer);
    expect([send.mock.calls.length, onmessage.mock.calls.length]).toEqual([0, 1]);
  });

  it.each([
    ['a buffer', { data: new Uint8Array([1, 2]).buffer }, [1, 2]],
    ['a part of one', { data: new Uint8Array([0, 1, 2]).subarray(1) }, [1, 2]],
    ['base64', { data: 'AQI=' }, [1, 2]],
  ])('reads %s', (_name, message, bytes) => {
    expect([...new Uint8Array(streamBytes(message) ?? new ArrayBuffer())]).toEqual(bytes);
  });

  it.each([undefined, null, 7, {}, { data: 7 }, { data: '%' }])('reads nothing in %p', (message) => {
    expect(streamBytes(message)).toBeNull();
  });
});

describe('keys', () => {
  it('go down in order and up the other way round', () => {
    const pressed = chord(['Ctrl', 'Alt', 'Delete']).map(({ key, down }) => `${key.code} ${down ? 'down' : 'up'}`);
    const down = ['ControlLeft down', 'AltLeft down', 'Delete down'];
    expect(pressed).toEqual([...down, 'Delete up', 'AltLeft up', 'ControlLeft up']);
  });

  it('have the numbers of X11', () => {
    expect([keyCode('F1').keysym, keyCode('F12').keysym, keyCode('Esc').keysym]).toEqual([0xffbe, 0xffc9, 0xff1b]);
    expect(['a', 'é', '€', '🦊'].map(keysymOf)).toEqual([0x61, 0xe9, 0x0100_20ac, 0x0101_f98a]);
  });

  it('are what an on-screen keyboard changed', () => {
    expect(typedSince('___', '___ab')).toEqual({ backspaces: 0, text: 'ab' });
    expect(typedSince('___', '__')).toEqual({ backspaces: 1, text: '' });
    expect(typedSince('___', '__x')).toEqual({ backspaces: 1, text: 'x' });
    expect(typedSince('___', '___🦊\n')).toEqual({ backspaces: 0, text: '🦊\n' });
  });
});

describe("the hub's messages", () => {
  it('tell why, or are taken for trouble with the hub', () => {
    expect(decodeStatus({ success: false, code: 'refused', error: 'No.' })).toMatchObject({
      code: 'refused',
      error: 'No.',
    });
    for (const message of [undefined, null, 7, {}, { success: 'true', code: 'toString' }])
      expect(decodeStatus(message)).toEqual({ success: false, code: 'hub', error: undefined });
    expect(decodeEnd({ code: 'ended', reason: 'Over.' })).toEqual({ ended: true, problem: 'gone', reason: 'Over.' });
    expect(decodeEnd({ code: 'lost' })).toEqual({ ended: false, problem: 'gone', reason: undefined });
    expect(decodeEnd({ code: 'unrecorded' })).toEqual({ ended: false, problem: 'unrecorded', reason: undefined });
    expect(
      decodeRefusal(Object.assign(new Error('Not allowed: Disabled.'), { data: { code: 'permission_denied' } })),
    ).toEqual({
      code: 'permission_denied',
      reason: 'Disabled.',
    });
    expect(decodeRefusal(new Error('websocket error'))).toEqual({ code: '', reason: undefined });
  });
});
