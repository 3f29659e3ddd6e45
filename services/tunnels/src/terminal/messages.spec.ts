import { describe, expect, it } from '@jest/globals';
import { ackMessage, inputMessage, registerMessage, resizeMessage } from './messages.ts';
import { problemOf } from '../sockets/words.ts';

describe('messages of a terminal socket', () => {
  it('take what a client of the specification sends', () => {
    expect(registerMessage.parse({ client_sid: 'a', browser_sid: 'b' })).toEqual({
      cols: 80,
      rows: 24,
      session: '',
      text: false,
      writer: '',
      offset: 0,
      acks: false,
      join: false,
    });
    expect(inputMessage.safeParse({ input: 'ls\r', client_sid: 'a', browser_sid: 'b' }).success).toBe(true);
    expect(inputMessage.safeParse({ input: Buffer.from('x') }).success).toBe(true);
    expect(resizeMessage.safeParse({ cols: 1, rows: 1, device_sid: 'a', browser_sid: 'b' }).success).toBe(true);
  });

  it.each([
    [registerMessage, { cols: 1001 }],
    [registerMessage, { cols: 1.5 }],
    [registerMessage, { offset: -1 }],
    [registerMessage, { session: 'x'.repeat(65) }],
    [registerMessage, { encoding: 'base64' }],
    [registerMessage, 'register'],
    [inputMessage, { input: 7 }],
    [inputMessage, { input: { length: 1e9 } }],
    [resizeMessage, { cols: 0, rows: 5 }],
    [ackMessage, { offset: Number.NaN }],
    [ackMessage, {}],
  ])('refuse what is out of bounds (%#)', (schema, payload) => {
    expect(schema.safeParse(payload).success).toBe(false);
  });

  it('name the field that is wrong', () => {
    const { error } = registerMessage.safeParse({ rows: 'many' });
    expect(error && problemOf('register', error)).toMatch(/^register: rows .*expected number/);
  });
});
