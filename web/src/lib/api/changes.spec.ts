import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeEventSource } from '../../testing/fake-event-source.ts';
import { network } from '../network.ts';
import { Changes, parseChange } from './changes.ts';
import type { ChangeEvent } from './changes.ts';

const change = { kind: 'device', id: 'd1', account: 'a1' } as const;

function setUp() {
  FakeEventSource.opened = [];
  const changes = new Changes(() => new FakeEventSource('/api/events') as unknown as EventSource);
  const heard: ChangeEvent[] = [];
  return { changes, heard, listen: () => changes.subscribe((event) => heard.push(event)) };
}

const last = () => FakeEventSource.opened.at(-1)!;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the stream of changes', () => {
  it('is one for all that listen, and closes after the last has left', () => {
    const t = setUp();
    const undo = [t.listen(), t.listen()];
    expect(FakeEventSource.opened).toHaveLength(1);
    FakeEventSource.say(change);
    expect(t.heard).toEqual([change, change]);
    undo.forEach((leave) => leave());
    jest.advanceTimersByTime(10_000);
    expect(last().closed).toBe(true);
  });

  it('stays open for whoever comes at once after', () => {
    const t = setUp();
    t.listen()();
    t.listen();
    jest.advanceTimersByTime(10_000);
    expect(last().closed).toBe(false);
    expect(FakeEventSource.opened).toHaveLength(1);
  });

  it('says when it breaks and when it is back', () => {
    const t = setUp();
    t.listen();
    last().onopen?.();
    last().onerror?.();
    expect(t.heard).toEqual([{ kind: 'broken' }]);
    jest.advanceTimersByTime(500);
    last().onerror?.();
    jest.advanceTimersByTime(1_000);
    last().onopen?.();
    expect(FakeEventSource.opened).toHaveLength(3);
    expect(t.heard).toEqual([{ kind: 'broken' }, { kind: 'resync' }]);
  });

  it('takes nothing in that is no change', () => {
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

describe('the silence of the hub', () => {
  const alive = () => last().dispatchEvent(new Event('alive'));

  it('counts within 3 s, and is over at the next word', () => {
    const t = setUp();
    t.listen();
    last().onopen?.();
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

  it('ends a stream that says nothing for long, and opens another', () => {
    const t = setUp();
    t.listen();
    last().onopen?.();
    alive();
    const first = last();
    jest.advanceTimersByTime(13_000);
    expect(first.closed).toBe(true);
    expect(last()).not.toBe(first);
    expect(network.snapshot.state).toBe('silent');
    last().onopen?.();
    expect(network.snapshot.state).toBe('online');
    expect(t.heard).toEqual([{ kind: 'broken' }, { kind: 'resync' }]);
  });
});
