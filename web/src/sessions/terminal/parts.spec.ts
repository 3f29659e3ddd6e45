import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { backoff } from '../../lib/backoff.ts';
import { Acks } from './acks.ts';
import { encodeText } from './codec.ts';
import { EchoClock } from './echo.ts';
import { HeldInput } from './held.ts';
import { extraKey, modified } from './keys.ts';
import { OutputStream } from './stream.ts';

const at = (offset: number, text: string) => ({ bytes: encodeText(text), offset });
const words = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('the output stream', () => {
  it('draws each byte once, however frames overlap', () => {
    const stream = new OutputStream();
    stream.begin(10);
    expect(words(stream.take(at(10, 'hello')).bytes)).toBe('hello');
    expect(words(stream.take(at(12, 'llo world')).bytes)).toBe(' world');
    expect(stream.take(at(10, 'hello')).bytes).toHaveLength(0);
    expect(stream.received).toBe(21);
  });

  it('says how much never came, and counts it as drawn', () => {
    const stream = new OutputStream();
    stream.begin(0);
    stream.take(at(0, 'abc'));
    stream.drawn += 3;
    expect(stream.take(at(10, 'xyz')).missing).toBe(7);
    expect(stream.received).toBe(13);
    expect(stream.drawn).toBe(10);
  });

  it('counts bytes, not characters', () => {
    const stream = new OutputStream();
    stream.take({ bytes: encodeText('€'), offset: null });
    expect(stream.received).toBe(3);
  });
});

describe('acks', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('gathers what is drawn within 50 ms into one', () => {
    const send = jest.fn();
    const acks = new Acks(send);
    acks.reached(10);
    acks.reached(20);
    expect(send).not.toHaveBeenCalled();
    jest.advanceTimersByTime(50);
    expect(send.mock.calls).toEqual([[20]]);
  });

  it('does not wait once 64 KiB are drawn', () => {
    const send = jest.fn();
    const acks = new Acks(send);
    acks.restart(1000);
    acks.reached(1000 + 64 * 1024);
    expect(send.mock.calls).toEqual([[1000 + 64 * 1024]]);
    jest.advanceTimersByTime(1000);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('says nothing after it was stopped', () => {
    const send = jest.fn();
    const acks = new Acks(send);
    acks.reached(10);
    acks.stop();
    jest.advanceTimersByTime(1000);
    expect(send).not.toHaveBeenCalled();
  });
});

describe('held input', () => {
  it('keeps keystrokes in order and gives them once', () => {
    const held = new HeldInput();
    held.hold(encodeText('l'));
    held.hold(encodeText('s'));
    expect(held.keys).toBe(2);
    expect(held.take().map(words)).toEqual(['l', 's']);
    expect(held.take()).toEqual([]);
  });

  it('takes nothing more once something had to be refused', () => {
    const held = new HeldInput();
    held.hold(new Uint8Array(4000));
    held.hold(new Uint8Array(200));
    held.hold(encodeText('x'));
    expect(held.full).toBe(true);
    expect(held.keys).toBe(1);
  });
});

describe('the echo clock', () => {
  it('measures a keystroke that was typed into silence', () => {
    let now = 1000;
    const clock = new EchoClock(() => now);
    clock.typed();
    now += 12;
    expect(clock.answered()).toBe(12);
    expect(clock.answered()).toBeNull();
  });

  it('does not take running output for an echo', () => {
    let now = 1000;
    const clock = new EchoClock(() => now);
    clock.answered();
    now += 20;
    clock.typed();
    now += 5;
    expect(clock.answered()).toBeNull();
  });
});

describe('keys', () => {
  const none = { ctrl: false, alt: false };
  it('sends arrows as the program asked for them', () => {
    expect(extraKey('Up', false, none)).toBe('\x1b[A');
    expect(extraKey('Up', true, none)).toBe('\x1bOA');
    expect(extraKey('Left', true, { ctrl: true, alt: false })).toBe('\x1b[1;5D');
    expect(extraKey('Esc', false, none)).toBe('\x1b');
    expect(extraKey('Tab', false, { ctrl: false, alt: true })).toBe('\x1b\t');
  });

  it('puts waiting modifiers on the next character', () => {
    expect(modified('c', { ctrl: true, alt: false })).toBe('\x03');
    expect(modified('[', { ctrl: true, alt: false })).toBe('\x1b');
    expect(modified(' ', { ctrl: true, alt: false })).toBe('\0');
    expect(modified('b', { ctrl: false, alt: true })).toBe('\x1bb');
    expect(modified('é', { ctrl: true, alt: false })).toBe('é');
  });
});

describe('backoff', () => {
  it('doubles up to its cap, with jitter that never reaches zero', () => {
    expect([1, 2, 3, 10].map((attempt) => backoff(attempt, () => 0.9999999))).toEqual([500, 1000, 2000, 15_000]);
    expect([1, 10].map((attempt) => backoff(attempt, () => 0))).toEqual([50, 1500]);
  });
});
