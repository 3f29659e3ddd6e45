import { expect, it } from '@jest/globals';
import { errorText } from './errors.ts';

const fallback = 'An error occurred while creating the account';

/** Specification, section 8. */
it.each([
  [
    'what the hub says, without its prefix',
    { status: 409, data: { message: 'Conflict: It is taken: really.' } },
    'It is taken: really.',
  ],
  ['the fallback, when the hub says nothing', { status: 500, data: {} }, fallback],
  ['the fallback, when a proxy says something else', { status: 'PARSING_ERROR', data: '<html>' }, fallback],
  ['that no answer came', { status: 'FETCH_ERROR' }, 'No response received from server.'],
  ['that no answer came in time', { status: 'TIMEOUT_ERROR' }, 'No response received from server.'],
  ['what else went wrong', new TypeError('x is undefined'), 'Error: x is undefined'],
  ['the fallback, when nothing is known', undefined, fallback],
])('a failed call shows %s', (_what, error, told) => expect(errorText(error, fallback)).toBe(told));

it('without a fallback, the status is shown', () => {
  expect(errorText({ status: 502, data: '<html>' })).toBe('Error: 502');
});
