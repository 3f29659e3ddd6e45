import { MantineProvider } from '@mantine/core';
import { afterEach, expect, it, jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import type { ComponentType } from 'react';
import { leave } from '../lib/leave.ts';
import { reloadWhenReplaced } from '../lib/replaced.ts';
import { watchTyping } from '../lib/typed.ts';
import { part } from './part.tsx';

watchTyping();
reloadWhenReplaced();
const reload = jest.spyOn(leave, 'reload').mockReturnValue(undefined);
afterEach(() => {
  reload.mockClear();
});

/** Fails like Vite's loader for a missing file. */
function gone(): Promise<ComponentType> {
  const payload = new Error('Failed to fetch dynamically imported module');
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
  return Promise.reject(payload);
}

it('keeps the input when a part of the page is gone, and offers to reload', async () => {
  const Missing = part(gone);
  const page = (shown: boolean) => (
    <MantineProvider env="test">
      <input aria-label="Name" />
      <Suspense>{shown ? <Missing /> : null}</Suspense>
    </MantineProvider>
  );
  const { rerender } = render(page(false));
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Name'), 'Acme');
  rerender(page(true));
  expect(await screen.findByRole('alert')).toHaveTextContent('The console was updated.');
  expect(screen.getByLabelText('Name')).toHaveValue('Acme');
  expect(reload).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Reload' }));
  expect(reload).toHaveBeenCalledTimes(1);
});

it('shows the loaded part', async () => {
  const There = part(async () => () => <p>Here</p>);
  render(
    <Suspense>
      <There />
    </Suspense>,
  );
  expect(await screen.findByText('Here')).toBeInTheDocument();
});
