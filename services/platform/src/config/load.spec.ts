import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { loadConfig } from './load.ts';

const schema = z.object({
  PORT: z.coerce.number().int().max(65535),
  REDIS_URL: z.url(),
  NAME: z.string().default('x'),
});

describe('loadConfig', () => {
  it('parses what is given and fills the defaults; an empty value counts as not given', () => {
    expect(loadConfig(schema, { PORT: '80', REDIS_URL: 'redis://h', NAME: '' })).toEqual({
      PORT: 80,
      REDIS_URL: 'redis://h',
      NAME: 'x',
    });
  });

  it('names every wrong variable, what came and what was expected', () => {
    const load = () => loadConfig(schema, { PORT: 'eighty' });
    expect(load).toThrow(/PORT: expected number \(came: "eighty"\)/);
    expect(load).toThrow(/REDIS_URL: .*\(came: not set\)/s);
  });

  it('does not repeat a value that may hold a secret', () => {
    const load = () => loadConfig(schema, { PORT: '1', REDIS_URL: 'hunter2' });
    expect(load).toThrow(/REDIS_URL/);
    expect(load).not.toThrow(/hunter2/);
  });
});
