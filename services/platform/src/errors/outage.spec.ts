import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isOutage } from './outage.ts';

const coded = (code: string) => Object.assign(new Error('no'), { code });

describe('isOutage', () => {
  it.each([
    ['a refused connection', coded('ECONNREFUSED')],
    ['a database that shuts down', new QueryFailedError('SELECT 1', [], coded('57P01'))],
    [
      'a connection that broke under a query',
      new QueryFailedError('SELECT 1', [], new Error('Connection terminated unexpectedly')),
    ],
    ['Redis that is gone', new Error('Reached the max retries per request limit (which is 1).')],
    ['Redis that hangs', new Error('Command timed out')],
  ])('knows %s', (_what, error) => expect(isOutage(error)).toBe(true));

  it.each([
    ['a statement that is wrong', new QueryFailedError('SELECT', [], coded('42601'))],
    ['a duplicate', new QueryFailedError('INSERT', [], coded('23505'))],
    ['a mistake', new TypeError('x is undefined')],
    ['no error', 'Connection terminated'],
  ])('is not %s', (_what, error) => expect(isOutage(error)).toBe(false));
});
