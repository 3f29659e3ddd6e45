import { expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { leave } from '../lib/leave.ts';
import { show } from '../testing/render.tsx';
import { DialogForm } from '../ui/DialogForm.tsx';
import { Root } from './Root.tsx';

const Form = () => (
  <main>
    <h1>Form</h1>
    <Link to="/other">Other</Link>
    <DialogForm confirm="Save" busy={false} onConfirm={() => undefined} onCancel={() => undefined}>
      <input aria-label="Name" />
    </DialogForm>
  </main>
);

/** Its heading comes late, as that of a page whose data has to be loaded. */
function Other() {
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLoaded(true), 20);
    return () => clearTimeout(timer);
  }, []);
  return <main>{loaded ? <h1>Other page</h1> : null}</main>;
}

const open = () =>
  show(
    [
      {
        element: <Root />,
        children: [
          { path: '/', element: <Form /> },
          { path: '/other', element: <Other /> },
        ],
      },
    ],
    '/',
  );

const unload = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

it('moves the focus to the heading after a navigation, once it is there', async () => {
  open();
  await userEvent.click(screen.getByRole('link', { name: 'Other' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Other page' })).toHaveFocus());
});

it('asks before something typed is left behind, and stays or goes', async () => {
  const router = open();
  const name = screen.getByRole('textbox', { name: 'Name' });
  await userEvent.type(name, 'Acme');
  await userEvent.click(screen.getByRole('link', { name: 'Other' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Stay' }));
  expect(router.state.location.pathname).toBe('/');
  expect(name).toHaveValue('Acme');
  await userEvent.click(screen.getByRole('link', { name: 'Other' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Leave page' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/other'));
});

it('asks before the window is closed with something typed, and not when the console itself leaves', async () => {
  open();
  expect(unload()).toBe(true);
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Acme');
  expect(unload()).toBe(false);
  // jsdom can't navigate, and says so on its console.
  const quiet = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  leave.reload();
  quiet.mockRestore();
  expect(unload()).toBe(true);
});
