import { describe, expect, it } from '@jest/globals';
import { passOn, valueOf } from './header.lines.ts';

describe('header lines', () => {
  it('omit hop-by-hop headers, and those that Connection names', () => {
    const lines = [
      'Host',
      'a',
      'Connection',
      'X-One, close',
      'X-One',
      '1',
      'TE',
      'trailers',
      'Upgrade',
      'h2c',
      'X-Two',
      '2',
    ];
    expect(passOn(lines)).toEqual(['Host', 'a', 'X-Two', '2']);
  });

  it('keep framing headers, even if Connection names them', () => {
    expect(passOn(['Connection', 'Content-Length', 'Content-Length', '5'])).toEqual(['Content-Length', '5']);
  });

  it('are changed or dropped one by one, in order', () => {
    const pass = (name: string, value: string) => (name === 'b' ? undefined : value.toUpperCase());
    expect(passOn(['A', 'x', 'B', 'y', 'A', 'z'], pass)).toEqual(['A', 'X', 'A', 'Z']);
    expect(valueOf(['A', 'x', 'a', 'y'], 'a')).toBe('x');
  });
});
