import { expect, it } from '@jest/globals';
import { failureText } from './failure.ts';

it.each([
  [{ code: 'EENVELOPE', response: '550 5.1.1  No\r\nsuch user' }, 'The mail server says: 550 5.1.1 No such user'],
  [{ code: 'EAUTH', response: '535 bad password for hub' }, 'The mail server does not let the hub in.'],
  [{ code: 'ETLS' }, 'The mail server offers no secure connection.'],
  [new Error('connect ECONNREFUSED 10.0.0.7:25'), 'The mail server does not answer.'],
  [undefined, 'The mail server does not answer.'],
])('%j reads %s', (error, text) => {
  expect(failureText(error)).toBe(text);
});

it('is short, whatever the mail server says', () => {
  expect(failureText({ response: 'x'.repeat(10_000) }).length).toBeLessThan(250);
});
