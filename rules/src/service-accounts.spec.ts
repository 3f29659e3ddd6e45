import { expect, it } from '@jest/globals';
import { readEmail } from './emails.ts';
import { isServiceAccountHandle, serviceAccountHandle, serviceAccountName } from './service-accounts.ts';

const ID = '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f';

it.each([
  ['CI runner', 'ci-runner-0a2b3c4d5e6f@service-account.invalid'],
  ['  Zähler / Süd ', 'za-hler-su-d-0a2b3c4d5e6f@service-account.invalid'],
  ['備份', 'service-account-0a2b3c4d5e6f@service-account.invalid'],
  ['x'.repeat(64), `${'x'.repeat(40)}-0a2b3c4d5e6f@service-account.invalid`],
])('makes a handle of %s that is an address', (name, handle) => {
  expect(serviceAccountHandle(name, ID)).toBe(handle);
  expect(readEmail(handle)).toBe(handle);
  expect(isServiceAccountHandle(handle)).toBe(true);
});

it('takes no other address for a handle', () => {
  expect(isServiceAccountHandle('ann@service-account.invalid.example')).toBe(false);
  expect(isServiceAccountHandle('service-account.invalid@example.com')).toBe(false);
  expect(isServiceAccountHandle('ANN@SERVICE-ACCOUNT.INVALID')).toBe(true);
});

it('refuses names that are empty, too long or invisible', () => {
  for (const name of ['', '  ', 'x'.repeat(65), 'a\u200bb'])
    expect(serviceAccountName.safeParse(name).success).toBe(false);
});
