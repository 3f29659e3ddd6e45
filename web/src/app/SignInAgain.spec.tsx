import { afterEach, expect, it, jest } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { leave } from '../lib/leave.ts';
import { recentSignIn } from '../lib/recent-sign-in.ts';
import { show } from '../testing/render.tsx';
import { SignInAgain } from './SignInAgain.tsx';

const SIGN_IN = '/auth/saml/login?recent=yes&RelayState=%2F';

afterEach(() => {
  jest.restoreAllMocks();
  document.querySelector('[data-unsent]')?.remove();
});

/** Presses a button of the dialog. */
async function press(button: string) {
  const to = jest.spyOn(leave, 'to').mockReturnValue(undefined);
  const opened = jest.spyOn(window, 'open').mockReturnValue(null);
  const want = jest.spyOn(recentSignIn, 'want');
  show([{ path: '/', element: <SignInAgain /> }], '/');
  const dialog = await screen.findByRole('dialog', { name: 'Sign in again' });
  await userEvent.setup().click(screen.getByRole('button', { name: button }));
  return { dialog, to, opened, want };
}

it('leads to the sign-in and back where nothing would be lost', async () => {
  const { to, opened } = await press('Sign in again');
  expect(to).toHaveBeenCalledWith(SIGN_IN);
  expect(opened).not.toHaveBeenCalled();
});

it('keeps a page with unsent input, and opens the sign-in in a new tab', async () => {
  const form = document.createElement('form');
  form.dataset['unsent'] = 'true';
  document.body.append(form);
  const { dialog, to, opened, want } = await press('Open sign-in');
  expect(dialog).toHaveTextContent('what you have typed stays here');
  expect(opened).toHaveBeenCalledWith(SIGN_IN, '_blank', 'noopener');
  expect(to).not.toHaveBeenCalled();
  expect(want).toHaveBeenCalledWith(false);
});
