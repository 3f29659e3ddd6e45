import { describe, expect, it } from '@jest/globals';
import { until } from '@warren/infra/until';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { BrowserWindow } from './browser.window.ts';

const KIB = 1024;
const MESSAGE = 64 * KIB;

/** A window whose browser answers on demand, with a fake clock. */
function windowed() {
  const pings: Buffer[] = [];
  let pong: (data: Buffer) => void = () => {};
  let now = 0;
  let opened = 0;
  let othersActive = false;
  const socket = {
    ping: (data: Buffer) => pings.push(data),
    on: (_: 'pong', listener: typeof pong) => (pong = listener),
  };
  const window = new BrowserWindow(
    socket,
    () => opened++,
    () => othersActive,
    () => now,
  );
  /** Passes messages until there is no room; returns how many bytes. */
  const fill = (): number => {
    let bytes = 0;
    for (; !window.full; bytes += MESSAGE) window.passed(MESSAGE);
    return bytes;
  };
  const answer = (data?: Buffer) => pong(data ?? (pings.at(-1) as Buffer));
  const setOthersActive = (there: boolean) => (othersActive = there);
  return { window, pings, fill, answer, setOthersActive, later: (ms: number) => (now += ms), opened: () => opened };
}

/** A window with the given round trip, while another socket is interactive. */
function othersActive(roundTripMs: number) {
  const world = windowed();
  world.fill();
  world.later(roundTripMs);
  world.answer();
  world.setOthersActive(true);
  return world;
}

describe('the window of a browser', () => {
  it('bounds bytes in flight, and opens again as the browser receives them', () => {
    const { window, pings, fill, answer, opened } = windowed();
    expect(fill()).toBe(256 * KIB);
    answer(pings[0]);
    expect(opened()).toBe(1);
    expect(window.full).toBe(false);
    expect(fill()).toBe(MESSAGE);
  });

  it('takes an answer for all that was asked before it', () => {
    const { window, fill, answer, later } = windowed();
    window.passed(MESSAGE);
    later(1);
    answer();
    fill();
    later(10);
    answer();
    expect(fill()).toBe(256 * KIB);
  });

  it('asks nothing of who gets little', () => {
    const { window, pings } = windowed();
    for (let count = 0; count < 100; count++) window.passed(64);
    expect(pings).toEqual([]);
  });

  it('passes over answers to what was not asked', () => {
    const { window, fill, answer, opened } = windowed();
    fill();
    for (const data of [Buffer.alloc(0), Buffer.alloc(6), Buffer.alloc(6, 255), Buffer.alloc(125, 1)]) answer(data);
    expect(window.full).toBe(true);
    expect(opened()).toBe(0);
  });

  it('grows where the way is long and fast', () => {
    const { fill, answer, later } = windowed();
    let room = 0;
    for (let count = 0; count < 6; count++) {
      room = fill();
      later(100);
      answer();
    }
    expect(room).toBe(4 * 1024 * KIB);
  });

  it('shrinks when bytes in flight only queue', () => {
    const { window, fill, answer, later } = windowed();
    window.passed(MESSAGE);
    later(20);
    answer();
    fill();
    later(250);
    answer();
    expect(fill()).toBe(MESSAGE);
  });

  it('is one message while another socket is interactive', () => {
    const { fill, answer, setOthersActive } = othersActive(0.5);
    expect(fill()).toBe(MESSAGE);
    answer();
    expect(fill()).toBe(MESSAGE);
    setOthersActive(false);
    expect(fill()).toBe(448 * KIB);
  });

  it('is not narrowed for other sockets when the path itself is long', () => {
    const { fill } = othersActive(2);
    expect(fill()).toBe(512 * KIB);
  });

  it('gives all at once to a browser that answers nothing', () => {
    const { window, fill, later } = windowed();
    fill();
    later(9_000);
    expect(window.full).toBe(true);
    later(2_000);
    expect(window.full).toBe(false);
    window.passed(1_000 * MESSAGE);
    expect(window.full).toBe(false);
  });

  it('is kept by a WebSocket that reads, and by one that does not', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[WebSocket]>;
    const browser = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const [[socket]] = await Promise.all([accepted, once(browser, 'open')]);
    const window = new BrowserWindow(
      socket,
      () => {},
      () => false,
    );
    try {
      browser.pause();
      const fill = () => {
        for (; !window.full; window.passed(MESSAGE)) socket.send(Buffer.alloc(MESSAGE));
      };
      fill();
      browser.resume();
      await until(() => !window.full);
      fill();
    } finally {
      browser.terminate();
      server.close();
    }
  });
});
