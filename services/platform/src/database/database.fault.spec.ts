import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { databaseFault, isTransient } from './database.fault.ts';
import { retried } from './retried.ts';

const failed = (code: string, query = 'INSERT INTO t VALUES ($1)') =>
  new QueryFailedError(query, [], Object.assign(new Error('the server says so'), { code, constraint: 'a' }));

describe('what PostgreSQL refuses', () => {
  it.each([
    ['23503', 'not_found'],
    ['23505', 'already_exists'],
    ['23514', 'invalid_argument'],
    ['22001', 'invalid_argument'],
    ['22003', 'invalid_argument'],
    ['22021', 'invalid_argument'],
    ['22P02', 'invalid_argument'],
    ['22P05', 'invalid_argument'],
    ['40001', 'failed_precondition'],
    ['40P01', 'failed_precondition'],
    ['55P03', 'failed_precondition'],
  ])('by %s is a Fault %s that repeats nothing of it', (sqlState, code) => {
    const fault = databaseFault(failed(sqlState));
    expect(fault).toMatchObject({ code });
    expect(fault?.message).not.toContain('the server says so');
    expect(fault?.message).not.toContain(sqlState);
  });

  it('by 23503 for a deletion is a conflict', () => {
    expect(databaseFault(failed('23503', ' DELETE FROM t'))).toMatchObject({ code: 'failed_precondition' });
  });

  it.each([
    ['a statement that is wrong', failed('42601')],
    ['another error', new TypeError('x')],
    ['nothing', undefined],
  ])('is not %s', (_what, error) => expect(databaseFault(error)).toBeUndefined());
});

describe('a transaction that lost', () => {
  const losing = (times: number, code: string) => {
    let runs = 0;
    return async () => {
      if (runs++ < times) throw failed(code);
      return runs;
    };
  };

  it.each(['40001', '40P01'])('by %s runs again until it is through', async (code) => {
    expect(isTransient(failed(code))).toBe(true);
    await expect(retried(losing(5, code))).resolves.toBe(6);
  });

  it('is given up some time', async () => {
    await expect(retried(losing(1_000, '40P01'))).rejects.toBeInstanceOf(QueryFailedError);
  });

  it('for another reason does not run again', async () => {
    await expect(retried(losing(1, '23505'))).rejects.toBeInstanceOf(QueryFailedError);
  });
});
