import { beforeEach, describe, expect, it } from '@jest/globals';
import { forgetLink, linkQuery, readLink } from './link.ts';

const link = { email: 'Ada@Example.org', account: 'a1', token: 't1' };
const query = (change: object = {}) => new URLSearchParams({ ...link, ...change });

beforeEach(() => sessionStorage.clear());

describe('the link of an invitation', () => {
  it('is what the address says', () => {
    expect(readLink(query())).toEqual(link);
    expect(new URLSearchParams(linkQuery(link)).get('email')).toBe('Ada@Example.org');
  });

  it('keeps its token over a sign-in that leads back without it, for the same person in any spelling', () => {
    readLink(query());
    expect(readLink(query({ token: '', email: 'ada@example.org' }))).toEqual(link);
  });

  it('is not valid for another person, nor kept once it is used', () => {
    readLink(query());
    expect(readLink(query({ token: '', email: 'bob@example.org' })).token).toBe('');
    forgetLink();
    expect(readLink(query({ token: '' })).token).toBe('');
  });

  it('survives whatever the storage holds', () => {
    for (const kept of ['', 'null', '{', '{"email":1}', '[]']) {
      sessionStorage.setItem('warren.invitation', kept);
      expect(readLink(query({ token: '' }))).toEqual({ ...link, token: '' });
    }
  });
});
