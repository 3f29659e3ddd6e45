import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { PassThrough } from 'node:stream';
import { AccountShares } from './account.shares.ts';
import { LinkGuard, type Breach } from './link.guard.ts';

const LIMITS = {
  MAX_DEVICE_STREAMS: 320,
  MAX_ACCOUNT_STREAMS: 4_096,
  MAX_DEVICE_BUFFER: 32 << 20,
  MAX_ACCOUNT_BUFFER: 256 << 20,
  MAX_DEVICE_FRAMES: 20_000,
  MAX_ACCOUNT_FRAMES: 60_000,
};

/** A link of which only the streams are made up. */
function setUp(request: () => PassThrough, limits: Partial<typeof LIMITS> = {}) {
  const shares = new AccountShares({ ...LIMITS, ...limits });
  const breaches: Breach[] = [];
  const told: number[] = [];
  const settings = ({ initialWindowSize }: { initialWindowSize: number }, done: () => void) => {
    told.push(initialWindowSize);
    done();
  };
  const session = Object.assign(new EventEmitter(), { request, settings }) as unknown as ClientHttp2Session;
  const guard = new LinkGuard(
    session,
    shares,
    () => 'account',
    (breach) => breaches.push(breach),
  );
  return { session, guard, shares, breaches, told };
}

/** A stream that can be broken off as one of HTTP/2 can. */
function closable() {
  return Object.assign(new PassThrough(), {
    close(this: PassThrough) {
      this.destroy();
    },
  });
}

describe('the guard of a link', () => {
  it('keeps nothing of a stream that the session did not open', () => {
    const { guard, shares } = setUp(() => {
      throw new Error('The session is gone.');
    });
    expect(() => guard.request({})).toThrow('The session is gone.');
    expect(shares.size).toBe(0);
  });

  it('leaves people what they may open, however many devices of an account the hub itself reads', () => {
    const limits = { MAX_ACCOUNT_STREAMS: 2, MAX_ACCOUNT_BUFFER: 2 << 20 };
    const streams: PassThrough[] = [];
    const made = () => (streams.push(new PassThrough()), streams.at(-1)!);
    const { guard, shares, told } = setUp(made, limits);
    for (let count = 0; count < 10; count++) guard.requestForHub({});
    guard.request({});
    expect(told).toEqual([]);
    guard.request({});
    expect(() => guard.request({})).toThrow('Too many sessions of this device are open.');
    guard.requestForHub({});
    expect(shares.size).toBe(1);
    for (const stream of streams) stream.emit('close');
    expect(shares.size).toBe(0);
  });

  it('shares the bytes that may wait among streams, down to 64 KiB for each', () => {
    const { guard, told } = setUp(() => new PassThrough());
    for (let count = 0; count < 320; count++) guard.request({});
    expect(told).toEqual([512 * 1024, 256 * 1024, 128 * 1024, 64 * 1024]);
  });

  describe('on SETTINGS that are not acknowledged', () => {
    afterEach(() => {
      jest.useRealTimers();
    });

    /** Lets a minute pass without an acknowledgement. */
    const unacknowledged = (ping: (answer: (error: Error | null) => void) => void) => {
      jest.useFakeTimers();
      const made = setUp(() => new PassThrough());
      const settings = jest.fn<(settings: object, done: () => void) => void>();
      Object.assign(made.session, { settings, ping });
      made.guard.resize(65_536);
      jest.advanceTimersByTime(60_000);
      return { ...made, acknowledge: () => settings.mock.calls.forEach(([, done]) => done()) };
    };

    it('ends the link of a device that answers a PING sent after them', () => {
      expect(unacknowledged((answer) => answer(null)).breaches).toEqual(['settings']);
    });

    it('blames no device that has fallen silent, or whose link is gone', () => {
      expect(unacknowledged(() => {}).breaches).toEqual([]);
      expect(unacknowledged((answer) => answer(new Error('gone'))).breaches).toEqual([]);
    });

    it('blames no device whose acknowledgement comes first after a pause of the network', () => {
      let answered: ((error: Error | null) => void) | undefined;
      const { breaches, acknowledge } = unacknowledged((answer) => (answered = answer));
      acknowledge();
      answered?.(null);
      expect(breaches).toEqual([]);
    });
  });

  it('breaks a stream off that fills its buffer with pieces of next to nothing, and no other', () => {
    const many = { MAX_DEVICE_FRAMES: 1_000_000, MAX_ACCOUNT_FRAMES: 1_000_000 };
    const { guard, breaches } = setUp(closable, many);
    const [small, large] = [guard.request({}), guard.request({})];
    let pieces = 0;
    while (!small.destroyed && pieces < 100_000) {
      small.push(Buffer.alloc(1));
      pieces++;
    }
    for (let count = 0; count < 10_000; count++) large.push(Buffer.alloc(100));
    expect(pieces).toBeLessThan(4_200);
    expect([large.destroyed, breaches]).toEqual([false, []]);
  });

  it('counts a frame and its message once, and each further message once', () => {
    const { guard, breaches } = setUp(() => new PassThrough(), { MAX_DEVICE_FRAMES: 20 });
    for (let count = 0; count < 10; count++) {
      guard.frame(20);
      guard.took(10);
    }
    expect(breaches).toEqual([]);
    guard.frame(1_000);
    guard.took(10);
    expect(breaches).toEqual(['small_frames']);
  });
});
