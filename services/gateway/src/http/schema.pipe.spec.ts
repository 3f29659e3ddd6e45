import { describe, expect, it } from '@jest/globals';
import { ownerEmail } from '@warren/rules/emails';
import { z } from 'zod';
import { SchemaPipe } from './schema.pipe.ts';

const pipe = new SchemaPipe();
const schema = z.object({
  page: z.coerce.number().int().min(1),
  nested: z.object({ names: z.array(z.string()) }).optional(),
});
const query = (value: unknown) => pipe.transform(value, { type: 'query', schema });

describe('the schema pipe', () => {
  it('returns the output of the schema', async () => {
    expect(await query({ page: '2', more: 'x' })).toEqual({ page: 2 });
  });

  it('returns a value without a schema unchanged', async () => {
    expect(await pipe.transform('x', { type: 'param', data: 'id' })).toBe('x');
  });

  it('names each field, what was expected and what came', async () => {
    await expect(query({ page: 'x', nested: { names: ['a', 7] } })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: 'expected number',
      problems: [
        { field: 'page', message: 'expected number', value: '"x"' },
        { field: 'nested.names.1', message: 'expected string', value: '7' },
      ],
    });
  });

  it("has the full text of a schema's rule, separate from the value", async () => {
    const wrong = pipe.transform({ owner: 'x' }, { type: 'body', schema: z.object({ owner: ownerEmail }) });
    const message = 'Please enter a valid email address.';
    await expect(wrong).rejects.toMatchObject({
      message: message,
      problems: [{ field: 'owner', message, value: '"x"' }],
    });
  });

  it.each([
    [{ page: '1', more: 'a\ud800' }, 'more'],
    ['\udc00', 'body'],
    [['a', { b: ['\ud83d'] }], '1.b.0'],
  ])('refuses half a character, wherever it is, and names its field: %j', async (value, field) => {
    const wrong = pipe.transform(value, { type: 'body', schema: z.unknown() });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field }] });
    const whole = pipe.transform({ page: '1', more: '\ud83d\ude00' }, { type: 'body', schema: z.unknown() });
    await expect(whole).resolves.toHaveProperty('more');
  });

  it('refuses too deep nesting', async () => {
    const deep = JSON.parse(`${'['.repeat(40_000)}${']'.repeat(40_000)}`) as unknown;
    const refused = pipe.transform(deep, { type: 'body', schema });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_argument', problems: [{ field: 'body' }] });
  });

  it('names a parameter that is wrong as a whole', async () => {
    const wrong = pipe.transform('x', { type: 'param', data: 'id', schema: z.uuid() });
    await expect(wrong).rejects.toMatchObject({ problems: [{ field: 'id' }] });
    const missing = pipe.transform(undefined, { type: 'body', schema });
    await expect(missing).rejects.toMatchObject({
      problems: [{ field: 'body', message: 'expected object' }],
    });
  });

  it('omits secrets and cuts long values', async () => {
    const secret = pipe.transform({ token: 'abc' }, { type: 'body', schema: z.object({ token: z.string().min(16) }) });
    await expect(secret).rejects.toMatchObject({
      problems: [expect.not.objectContaining({ value: expect.anything() })],
    });
    const long = pipe.transform('x'.repeat(10_000), { type: 'param', data: 'id', schema: z.uuid() });
    await expect(long).rejects.toMatchObject({ problems: [{ value: expect.stringMatching(/^.{0,61}$/) }] });
    const many = pipe.transform(Array(500).fill(1), { type: 'body', schema: z.array(z.string()) });
    await expect(many).rejects.toHaveProperty('problems.length', 20);
  });
});
