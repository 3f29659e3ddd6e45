import { describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { ClientHttp2Session } from 'node:http2';
import { Overhead } from './overhead.ts';

const MiB = 1 << 20;

function setUp() {
  let now = 0;
  const socket = { bytesRead: 0 };
  const session = Object.assign(new EventEmitter(), { socket, destroyed: false }) as unknown as ClientHttp2Session;
  let exceeded = 0;
  const overhead = new Overhead(
    session,
    () => exceeded++,
    () => now,
  );
  /** So many bytes come in a second, of which so many are payload in frames of 16 KiB. */
  const second = (bytes: number, payload = 0) => {
    now += 1_000;
    socket.bytesRead += bytes;
    for (let at = 0; at < payload; at += 16_384) overhead.frame(16_384);
    overhead.look();
  };
  return { overhead, second, exceeded: () => exceeded, end: () => session.emit('close') };
}

describe('the overhead of a link', () => {
  it('has bounds in which no payload counts', () => {
    const { second, exceeded, end } = setUp();
    for (let count = 0; count < 60; count++) second(101 * MiB, 101 * MiB);
    expect(exceeded()).toBe(0);
    for (let count = 0; count < 60; count++) second(MiB / 2);
    expect(exceeded()).toBe(0);
    for (let count = 0; count < 10; count++) second(MiB);
    expect(exceeded()).toBeGreaterThan(0);
    end();
  });

  it('leaves out what was on its way to a stream that is gone, also when it comes later', () => {
    const { overhead, second, exceeded, end } = setUp();
    for (let count = 0; count < 64; count++) overhead.expect(MiB);
    second(0);
    second(40 * MiB);
    second(24 * MiB);
    expect(exceeded()).toBe(0);
    second(6 * MiB);
    expect(exceeded()).toBe(1);
    end();
  });
});
