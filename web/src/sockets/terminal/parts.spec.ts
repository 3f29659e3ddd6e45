import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { backoff } from '../../lib/backoff.ts';
import { Acks } from './acks.ts';
import { encodeText } from './codec.ts';
import { EchoClock } from './echo.ts';
import { extraKey, modified } from './keys.ts';
import { OutputStream } from './stream.ts';
import { Typing } from './typing.ts';

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

  it('batches what is drawn within 50 ms into one', () => {
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

describe('what is typed', () => {
  const sent = (typing: Typing) => [...typing.due()].map(words);

  it('goes out once, in order, and what has not been taken goes out again after a break', () => {
    const typing = new Typing();
    typing.restart(0, false);
    for (const key of 'list') typing.type(encodeText(key), false);
    expect(sent(typing)).toEqual(['l', 'i', 's', 't']);
    expect(sent(typing)).toEqual([]);
    typing.accept(1);
    typing.type(encodeText('\r'), true);
    expect(typing.keys).toBe(1);
    expect(typing.resume(2)).toBe(0);
    expect(sent(typing).join('')).toBe('st\r');
    typing.accept(5);
    expect(typing.resume(5)).toBe(0);
    expect(sent(typing)).toEqual([]);
  });

  it('is cut in the middle of a paste wherever the terminal has got to', () => {
    const text = Array.from({ length: 30_000 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('');
    for (const taken of [0, 1, 16_383, 16_384, 20_000, 30_000]) {
      const typing = new Typing();
      typing.restart(100, false);
      typing.type(encodeText(text), false);
      expect(sent(typing).join('')).toBe(text);
      expect(typing.resume(100 + taken)).toBe(0);
      expect(sent(typing).join('')).toBe(text.slice(taken));
    }
  });

  it('waits for the terminal to take 128 KiB, in pieces of 16', () => {
    const typing = new Typing();
    typing.restart(0, false);
    typing.type(new Uint8Array(300_000), false);
    const first = [...typing.due()].map((piece) => piece.length);
    expect(first.reduce((sum, size) => sum + size, 0)).toBe(128 * 1024);
    expect(Math.max(...first)).toBe(16 * 1024);
    typing.accept(100_000);
    expect([...typing.due()].reduce((sum, piece) => sum + piece.length, 0)).toBe(100_000);
  });

  it('is refused as a whole from the first key that has no room, and taken again after that', () => {
    const typing = new Typing();
    typing.restart(0, false);
    typing.type(new Uint8Array(4_000), true);
    typing.type(new Uint8Array(200), true);
    typing.type(encodeText('x'), true);
    expect([typing.full, typing.keys]).toEqual([true, 1]);
    typing.discard();
    expect([typing.full, typing.keys]).toEqual([false, 0]);
    typing.type(encodeText('y'), true);
    typing.resume(0);
    expect(sent(typing)).toEqual(['y']);
  });

  it('is not sent again to a terminal that does not count its input', () => {
    const typing = new Typing();
    typing.restart(0, false);
    typing.type(encodeText('abc'), false);
    sent(typing);
    typing.accept(1);
    typing.type(encodeText('d'), true);
    expect(typing.resume(0)).toBe(2);
    expect(sent(typing)).toEqual(['d']);
    typing.accept(1);
    expect(typing.resume(1)).toBe(0);
    expect(sent(typing)).toEqual([]);
  });

  it('is for one terminal alone, unless there was none before', () => {
    const typing = new Typing();
    typing.type(encodeText('ahead'), true);
    typing.restart(0, true);
    expect(sent(typing)).toEqual(['ahead']);
    typing.type(encodeText('rm -rf /\r'), true);
    typing.restart(7, false);
    expect([sent(typing), typing.keys]).toEqual([[], 0]);
  });

  it('is forgotten once sent where it is not counted', () => {
    const typing = new Typing();
    typing.restart(null, false);
    typing.type(new Uint8Array(300_000), false);
    let total = 0;
    for (let size = -1; size !== 0; total += size) size = [...typing.due()].reduce((sum, one) => sum + one.length, 0);
    expect(total).toBe(300_000);
    expect(typing.resume(null)).toBe(0);
    expect(sent(typing)).toEqual([]);
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
