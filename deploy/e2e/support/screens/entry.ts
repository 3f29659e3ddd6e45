import { SignInPage } from '../../pages/sign-in.ts';
import { person } from '../people.ts';
import { heading } from './openers.ts';
import type { Screen } from './screen.ts';

/** What stands before the console, and the page about sign-ins that fail. */
export const entryPages: readonly Screen[] = [
  { name: 'sign-in', who: null, path: () => '/', ready: heading('Sign in to Warren') },
  {
    name: 'invitation',
    who: null,
    path: ({ link }) => `/accept_invitation?${new URLSearchParams({ ...link })}`,
    ready: heading(/^Join /),
  },
  {
    name: 'invitation-void',
    who: null,
    path: ({ link }) => `/accept_invitation?${new URLSearchParams({ ...link, token: 'no-such-token' })}`,
    ready: heading('This invitation can’t be used'),
  },
  {
    name: 'sign-up',
    who: null,
    path: ({ link }) => `/signup-user?${new URLSearchParams({ ...link })}`,
    ready: heading('Welcome to Warren'),
  },
  { name: 'account-issue', who: 'stranger', path: () => '/account_issue', ready: heading(/./) },
  { name: 'account-disable', who: 'disabled', path: () => '/account_disable', ready: heading(/./) },
  {
    name: 'sign-in-doctor',
    path: () => '/sign-in-doctor',
    ready: (page) =>
      page
        .getByRole('region', { name: 'Refused sign-ins' })
        .getByText(/^(Failed check|No refused sign-ins)$/)
        .first(),
  },
  {
    name: 'sign-in-trial',
    path: () => '/sign-in-doctor',
    ready: heading('This sign-in works'),
    show: async (page) => {
      await page
        .getByRole('button', { name: /^Try a sign-in: / })
        .first()
        .click();
      await new SignInPage(page).choose(person('superAdmin').email);
    },
  },
];
