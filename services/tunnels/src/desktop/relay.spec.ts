import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { duplexPair, type Duplex } from 'node:stream';
import { Relay, type RelayTap } from './relay.ts';

const FRAME = Buffer.alloc(16 * 1024, 'f');

/** A relay between a device and a browser that takes one message at a time if it is slow. */
function relayed({ slow = false, tap }: { slow?: boolean; tap?: RelayTap } = {}) {
  const [near, device] = duplexPair() as [Duplex, Duplex];
  const messages: Buffer[] = [];
  const held: boolean[] = [];
  let busy = false;
  const sink = {
    busy: () => busy,
    hold: (now: boolean) => void held.push(now),
    send: (bytes: Buffer) => {
      messages.push(Buffer.from(bytes));
      busy = slow;
    },
  };
  const relay = new Relay(near, sink, () => {}, tap);
  const taken = () => {
    busy = false;
    relay.pump();
  };
  return { relay, near, device, messages, held, taken, got: () => Buffer.concat(messages).length };
}

describe('a relay to a browser', () => {
  it('makes one message of the frames that come in one turn', async () => {
    const { near, messages, got } = relayed();
    await until(() => near.readableFlowing === true);
    for (let count = 0; count < 3; count++) near.push(FRAME);
    await until(() => got() === 3 * FRAME.length);
    expect(messages.length).toBe(1);
  });

  it('lets a small message that comes alone wait for nothing', () => {
    const { near, messages } = relayed();
    near.emit('data', Buffer.from('key'));
    expect(messages.map(String)).toEqual(['key']);
  });

  it('makes no message that a keystroke would wait behind', async () => {
    const { near, messages, got } = relayed();
    await until(() => near.readableFlowing === true);
    for (let count = 0; count < 64; count++) near.push(FRAME);
    await until(() => got() === 64 * FRAME.length);
    expect(Math.max(...messages.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
  });

  it('keeps no more than a few messages of what a browser does not take, and loses none of it', async () => {
    const { near, messages, got, taken } = relayed({ slow: true });
    await until(() => near.readableFlowing === true);
    for (let count = 0; count < 64; count++) near.push(Buffer.alloc(FRAME.length, count));
    await until(() => near.isPaused());
    const waiting = 64 * FRAME.length - got() - near.readableLength;
    expect(waiting).toBeGreaterThanOrEqual(256 * 1024);
    expect(waiting).toBeLessThan(256 * 1024 + FRAME.length);
    await until(() => {
      taken();
      return got() === 64 * FRAME.length;
    });
    const expected = Array.from({ length: 64 }, (_, count) => Buffer.alloc(FRAME.length, count));
    expect(Buffer.concat(messages).equals(Buffer.concat(expected))).toBe(true);
  });

  it('has not ended before the browser has all of it', async () => {
    const { relay, near, device, got, taken } = relayed({ slow: true });
    let ending: string | undefined;
    void relay.done.then((how) => (ending = how));
    device.write(FRAME);
    await until(() => got() === FRAME.length);
    device.end(FRAME);
    await until(() => near.readableEnded);
    expect(ending).toBeUndefined();
    await until(() => {
      taken();
      return ending === 'ended';
    });
    expect(got()).toBe(2 * FRAME.length);
  });

  it('is lost when the stream is, whatever waits', async () => {
    const { relay, near } = relayed({ slow: true });
    near.push(FRAME);
    near.push(FRAME);
    await until(() => near.readableFlowing === true);
    near.destroy();
    expect(await relay.done).toBe('lost');
  });

  it('gives all bytes to its tap, waits for it, and shows what it has taken meanwhile', async () => {
    const taken: Buffer[] = [];
    let isFull = false;
    const tap = {
      take: (bytes: Buffer) => {
        taken.push(Buffer.from(bytes));
        return !isFull;
      },
    };
    const { relay, near, messages, got } = relayed({ tap });
    await until(() => near.readableFlowing === true);
    near.push(FRAME);
    await until(() => got() === FRAME.length);
    isFull = true;
    near.push(Buffer.from('the last before it waits'));
    await until(() => near.isPaused());
    near.push(Buffer.from('after'));
    await until(() => messages.at(-1)?.toString() === 'the last before it waits');
    expect(Buffer.concat(taken).equals(Buffer.concat(messages))).toBe(true);
    relay.pump();
    expect(near.isPaused()).toBe(true);
    isFull = false;
    relay.resume();
    await until(() => messages.at(-1)?.toString() === 'after');
    expect(Buffer.concat(taken).equals(Buffer.concat(messages))).toBe(true);
  });

  it('reads on from the browser until more waits for the device than a few messages', async () => {
    const { relay, device, held } = relayed();
    const message = Buffer.alloc(64 * 1024);
    for (let count = 0; count < 3; count++) relay.write(message);
    expect(held).toEqual([]);
    while (held.length === 0) relay.write(message);
    expect(held).toEqual([true]);
    device.resume();
    await until(() => held.length === 2);
    expect(held).toEqual([true, false]);
  });
});
