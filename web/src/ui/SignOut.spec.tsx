import { expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { keys, recall, remember } from '../lib/storage.ts';
import { SignOut } from './SignOut.tsx';

it('forgets the chosen account', () => {
  remember(keys.client, 'a1');
  render(
    <MantineProvider env="test">
      <SignOut label="Try again" />
    </MantineProvider>,
  );
  const link = screen.getByRole('link', { name: 'Try again' });
  expect(link).toHaveAttribute('href', '/auth/saml/logout');
  // A test does not leave its page.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true });
  fireEvent.click(link);
  expect(recall(keys.client)).toBeNull();
});
