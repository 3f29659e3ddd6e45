import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { network } from '../network.ts';
import { Changes, parseChange } from './changes.ts';
import type { ChangeEvent } from './changes.ts';

const change = { kind: 'device', id: 'd1', account: 'a1' } as const;

function setUp() {
  FakeEventSource.opened = [];
  const changes = new Changes((ageMs) => new FakeEventSource(`/api/events?age=${ageMs}`) as unknown as EventSource);
  const heard: ChangeEvent[] = [];
  return { changes, heard, listen: () => changes.subscribe((event) => heard.push(event)) };
}

const last = () => FakeEventSource.opened.at(-1)!;
const age = () => Number(new URL(last().url, 'http://hub').searchParams.get('age'));
/** Waits until another stream is opened. */
function reopen() {
  for (const { length } = FakeEventSource.opened; FakeEventSource.opened.length === length;)
    jest.advanceTimersByTime(1);
}
const resync = { kind: 'resync' } as const;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the stream of changes', () => {
  it('is shared by all listeners, and closes after the last has left', () => {
    const t = setUp();
    const undo = [t.listen(), t.listen()];
    expect(FakeEventSource.opened).toHaveLength(1);
    FakeEventSource.say(change);
    expect(t.heard).toEqual([change, change]);
    undo.forEach((leave) => leave());
    jest.advanceTimersByTime(10_000);
    expect(last().closed).toBe(true);
  });

  it('stays open for a listener that follows at once', () => {
    const t = setUp();
    t.listen()();
    t.listen();
    jest.advanceTimersByTime(10_000);
    expect(last().closed).toBe(false);
    expect(FakeEventSource.opened).toHaveLength(1);
  });

  it('reports a break, and a resync when it is back', () => {
    const t = setUp();
    t.listen();
    last().opens();
    last().onerror?.();
    expect(t.heard).toEqual([{ kind: 'broken' }]);
    reopen();
    last().onerror?.();
    reopen();
    last().opens();
    expect(FakeEventSource.opened).toHaveLength(3);
    expect(t.heard).toEqual([{ kind: 'broken' }, resync]);
  });

  it('ignores messages that are not changes', () => {
    expect(parseChange('{"kind":"device","id":"d1","account":"a1"}')).toEqual(change);
    expect(['', '{', 'null', '{"kind":"planet","id":"x"}', '{"kind":"device"}'].map(parseChange)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('changes before the stream was open', () => {
  it('are first requested since the document was', () => {
    const t = setUp();
    const old = Date.now() - performance.timeOrigin;
    t.listen();
    expect(age()).toBeGreaterThanOrEqual(Math.floor(old));
  });

  it('are unknown if the hub says so', () => {
    const t = setUp();
    t.listen();
    last().onopen?.();
    last().dispatchEvent(new Event('resync'));
    last().dispatchEvent(new Event('current'));
    expect(t.heard).toEqual([resync]);
  });

  it('are unknown if the opening took longer than announced', () => {
    const t = setUp();
    t.listen();
    jest.advanceTimersByTime(3_000);
    last().opens();
    expect(t.heard).toEqual([resync]);
  });

  it('are unknown with an older hub, which does not send them', () => {
    const t = setUp();
    t.listen();
    last().onopen?.();
    last().dispatchEvent(new Event('alive'));
    last().dispatchEvent(new Event('alive'));
    expect(t.heard).toEqual([resync]);
  });

  it('are requested since the last message when a listener returns', () => {
    const t = setUp();
    const leave = t.listen();
    last().opens();
    leave();
    jest.advanceTimersByTime(20_000);
    t.listen();
    expect(FakeEventSource.opened).toHaveLength(2);
    expect(age()).toBe(22_000);
  });

  it('reach a listener whose request came before and which listens after', () => {
    const t = setUp();
    t.listen();
    last().opens();
    const asked = performance.now();
    jest.advanceTimersByTime(100);
    FakeEventSource.say(change);
    jest.advanceTimersByTime(100);
    const late: ChangeEvent[] = [];
    t.changes.subscribe((event) => late.push(event), asked);
    t.changes.subscribe((event) => late.push(event));
    expect(late).toEqual([change]);
  });

  it('are unknown to a listener whose request is older than the kept changes', () => {
    const t = setUp();
    t.listen();
    last().opens();
    const asked = performance.now();
    jest.advanceTimersByTime(100);
    for (let count = 0; count < 101; count += 1) FakeEventSource.say({ ...change, id: `d${count}` });
    const late: ChangeEvent[] = [];
    t.changes.subscribe((event) => late.push(event), asked);
    expect(late).toEqual([resync]);
  });
});

describe('the silence of the hub', () => {
  const alive = () => last().dispatchEvent(new Event('alive'));

  it('is detected within 3 s, and ends with the next message', () => {
    const t = setUp();
    t.listen();
    last().opens();
    for (let second = 0; second < 20; second += 1) {
      jest.advanceTimersByTime(1_000);
      alive();
    }
    expect(network.snapshot.state).toBe('online');
    jest.advanceTimersByTime(3_000);
    expect(network.snapshot.state).toBe('silent');
    expect(document.documentElement).toHaveAttribute('data-stale');
    alive();
    expect(network.snapshot.state).toBe('online');
    expect(document.documentElement).not.toHaveAttribute('data-stale');
  });

  it('closes a stream after a long time, and opens another', () => {
    const t = setUp();
    t.listen();
    last().opens();
    alive();
    const first = last();
    jest.advanceTimersByTime(13_000);
    expect(first.closed).toBe(true);
    expect(last()).not.toBe(first);
    expect(network.snapshot.state).toBe('silent');
    last().opens();
    expect(network.snapshot.state).toBe('online');
    expect(t.heard).toEqual([{ kind: 'broken' }, resync]);
  });
});
