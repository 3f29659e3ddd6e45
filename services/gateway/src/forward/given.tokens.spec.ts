import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GivenTokens } from './given.tokens.ts';

describe('tokens that were given out here', () => {
  let now = 0;
  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  it('tell their device and its place, once', () => {
    const given = new GivenTokens();
    given.add('token', 'device', 'http://replica');
    expect(given.take('another')).toBeUndefined();
    expect(given.take('token')).toEqual({ deviceId: 'device', address: 'http://replica' });
    expect(given.take('token')).toBeUndefined();
  });

  it('tell the place for a second only, and nothing after a minute', () => {
    const given = new GivenTokens();
    given.add('one', 'device', 'http://replica');
    given.add('other', 'device', 'http://replica');
    now += 1_500;
    expect(given.take('one')).toEqual({ deviceId: 'device', address: undefined });
    now += 60_000;
    expect(given.take('other')).toBeUndefined();
  });
});
