import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { SchemaPipe } from './schema.pipe.ts';

const pipe = new SchemaPipe();
const schema = z.object({
  page: z.coerce.number().int().min(1),
  nested: z.object({ names: z.array(z.string()) }).optional(),
});
const query = (value: unknown) => pipe.transform(value, { type: 'query', schema });

describe('the schema pipe', () => {
  it('gives what the schema makes of the value', async () => {
    expect(await query({ page: '2', more: 'x' })).toEqual({ page: 2 });
  });

  it('leaves alone what has no schema', async () => {
    expect(await pipe.transform('x', { type: 'param', data: 'id' })).toBe('x');
  });

  it('names each field, what was expected and what came', async () => {
    await expect(query({ page: 'x', nested: { names: ['a', 7] } })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/^Invalid input: page: /),
      problems: [
        { field: 'page', message: 'expected number; came: "x"' },
        { field: 'nested.names.1', message: 'expected string; came: 7' },
      ],
    });
  });

  it('refuses what is nested deeper than any input', async () => {
    const deep = JSON.parse(`${'['.repeat(40_000)}${']'.repeat(40_000)}`) as unknown;
    const refused = pipe.transform(deep, { type: 'body', schema });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field: 'body' }] });
  });

  it('names a parameter that is wrong as a whole', async () => {
    const wrong = pipe.transform('x', { type: 'param', data: 'id', schema: z.uuid() });
    await expect(wrong).rejects.toMatchObject({ problems: [{ field: 'id' }] });
    const missing = pipe.transform(undefined, { type: 'body', schema });
    await expect(missing).rejects.toMatchObject({
      problems: [{ field: 'body', message: expect.stringContaining('nothing came') }],
    });
  });

  it('repeats neither secrets nor much', async () => {
    const secret = pipe.transform({ token: 'abc' }, { type: 'body', schema: z.object({ token: z.string().min(16) }) });
    await expect(secret).rejects.toMatchObject({ problems: [{ message: expect.not.stringContaining('abc') }] });
    const long = pipe.transform('x'.repeat(10_000), { type: 'param', data: 'id', schema: z.uuid() });
    await expect(long).rejects.toMatchObject({ problems: [{ message: expect.stringMatching(/^.{0,150}$/) }] });
    const many = pipe.transform(Array(500).fill(1), { type: 'body', schema: z.array(z.string()) });
    await expect(many).rejects.toHaveProperty('problems.length', 20);
  });
});
