import { describe, expect, it } from '@jest/globals';
import {
  emailsSchema,
  lowerKeys,
  membersSchema,
  scimBody,
  scimBoolean,
  scimValue,
  USER_URN,
  userSchema,
} from './scim.bodies.ts';

const read = (body: unknown) => scimBody(body, USER_URN, userSchema);
const fault = (scimType: string, message: string | RegExp) =>
  expect.objectContaining({
    scimType,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });

describe('a body', () => {
  it('has names of attributes in any case, and nothing that is not kept', () => {
    const body = {
      Schemas: ['x', USER_URN],
      UserName: 'a',
      ACTIVE: 'True',
      roles: ['Owner'],
      NAME: { GivenName: 'A' },
    };
    expect(read(body)).toEqual({ username: 'a', active: true, name: { givenname: 'A' } });
  });

  it.each([
    ['text', 'invalidSyntax', /JSON object/],
    [null, 'invalidSyntax', /JSON object/],
    [[], 'invalidSyntax', /JSON object/],
    [{ userName: 'a' }, 'invalidSyntax', `schemas: expected ${USER_URN}.`],
    [{ schemas: USER_URN, userName: 'a' }, 'invalidSyntax', /^schemas/],
    [{ schemas: [USER_URN] }, 'invalidValue', /^username: /],
    [{ schemas: [USER_URN], userName: '' }, 'invalidValue', 'username: expected a user name.'],
    [{ schemas: [USER_URN], userName: 'x'.repeat(257) }, 'invalidValue', 'username: expected at most 256 characters.'],
    [
      { schemas: [USER_URN], userName: 'a', emails: Array(21).fill({}) },
      'invalidValue',
      'emails: expected at most 20 addresses.',
    ],
    [{ schemas: [USER_URN], userName: 'a', active: 'yes' }, 'invalidValue', 'active: expected true or false.'],
    [{ schemas: [USER_URN], userName: 'a', x: [[[[[[[[1]]]]]]]] }, 'invalidSyntax', 'expected at most 8 levels.'],
  ])('%j is refused', (body, scimType, message) => {
    expect(() => read(body)).toThrow(fault(scimType, message));
  });
});

describe('a value', () => {
  it.each([
    [true, true],
    ['False', false],
    ['TRUE', true],
  ])('%j is a boolean', (value, expected) => {
    expect(scimValue(value, scimBoolean)).toBe(expected);
  });

  it('lists members as one, or several', () => {
    expect(scimValue({ Value: 'a', display: 'x', $ref: null }, membersSchema)).toEqual(['a']);
    expect(scimValue([{ value: 'a' }, { value: 'b' }], membersSchema)).toEqual(['a', 'b']);
    expect(() => scimValue([{ value: '' }], membersSchema, 'members')).toThrow(fault('invalidValue', /^members\.0/));
    expect(() => scimValue(undefined, membersSchema, 'members')).toThrow(fault('invalidValue', /^members\.0/));
  });

  it('lists addresses with the primary one', () => {
    expect(scimValue([{ Value: 'a', Primary: 'True', type: 'work' }], emailsSchema)).toEqual([
      { value: 'a', primary: true },
    ]);
  });

  it('keeps a key of the prototype as an own one', () => {
    const keys = lowerKeys(JSON.parse('{"__proto__":{"active":true}}') as object);
    expect(Object.keys(keys as object)).toEqual(['__proto__']);
    expect((keys as { active?: boolean }).active).toBeUndefined();
  });
});
