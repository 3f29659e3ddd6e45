import { describe, expect, it } from '@jest/globals';
import { SortOrder } from '@warren/proto/common/v1/common';
import { z } from 'zod';
import { accountFilterSchema, idSchema, pageFields, pageRequest, timeSchema } from './schemas.ts';

const query = z.object(pageFields());

describe('a page', () => {
  it('starts at 1, with 50 entries', () => {
    expect(query.parse({})).toEqual({ page: 1, limit: 50, search: '' });
  });

  it.each([
    ['200', 200],
    ['201', 200],
    ['999999', 200],
  ])('of %s entries has %d', (limit, expected) => {
    expect(query.parse({ limit }).limit).toBe(expected);
  });

  it.each([
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: 'x' },
    { page: '1e9' },
    { limit: '0' },
    { limit: '' },
  ])('is not %j', (given) => {
    expect(query.safeParse(given).success).toBe(false);
  });

  it.each([
    ['x', ''],
    [' x ', ''],
    ['xy', 'xy'],
    ['  xy ', 'xy'],
  ])('of a search for %j is one for %j', (search, expected) => {
    expect(query.parse({ search }).search).toBe(expected);
  });

  it('is converted to the page request of the services', () => {
    expect(pageRequest({ page: 2, limit: 10, search: 'xy', order: 'desc' })).toMatchObject({
      page: 2,
      limit: 10,
      search: 'xy',
      order: SortOrder.DESC,
    });
    expect(pageRequest({ page: 1, limit: 1 }).order).toBe(SortOrder.ASC);
  });
});

describe('an account filter', () => {
  it.each([undefined, '', 'ALL'])('of %j is every account', (account) => {
    expect(accountFilterSchema.parse(account)).toBe('');
  });

  it('is an id or empty', () => {
    expect(accountFilterSchema.safeParse('all accounts').error?.issues[0]?.message).toContain(
      'expected the id of an account',
    );
  });
});

it('an id has the form of one', () => {
  expect(idSchema.safeParse("1' OR '1'='1").success).toBe(false);
});

describe('a time', () => {
  const problem = (given: unknown) => timeSchema.safeParse(given).error?.issues[0]?.message;

  it('is ISO 8601 in UTC', () => {
    for (const time of ['2026-01-31T08:15:30.000Z', '2026-01-31T08:15:30Z']) expect(problem(time)).toBeUndefined();
  });

  it.each(['yesterday', '2026-01-31', '2026-01-31T08:15:30+02:00', '2026-02-30T08:15:30Z', '', undefined, 7])(
    'is not %j, which is refused with an example',
    (given) => expect(problem(given)).toBe('expected a time in UTC such as 2026-01-31T08:15:30.000Z'),
  );
});
