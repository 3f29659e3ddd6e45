import { describe, expect, it } from '@jest/globals';
import { HubClock } from './clock.ts';

describe('HubClock', () => {
  it('adopts a time only if it is far from its own', () => {
    let now = 1_000_000;
    const clock = new HubClock(() => now);
    expect(clock.learn(new Date(now + 5_000).toUTCString())).toBe(false);
    expect(clock.now()).toBe(now);
    expect(clock.learn('Fri, 20 Nov 2026 12:00:00 GMT')).toBe(true);
    now += 60_000;
    expect(new Date(clock.now()).toISOString()).toBe('2026-11-20T12:01:00.000Z');
    expect(clock.learn('Fri, 20 Nov 2026 12:01:05 GMT')).toBe(false);
    expect(clock.learn('nonsense')).toBe(false);
    expect(clock.learn(undefined)).toBe(false);
  });
});
