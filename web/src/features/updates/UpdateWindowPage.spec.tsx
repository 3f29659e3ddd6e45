import { beforeEach, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import type { Session } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { UpdateWindowPage } from './UpdateWindowPage.tsx';

const PATH = `/api/accounts/${ACCOUNT}/update-window`;
const night = { days: ['sat'], from: '22:00', to: '04:00', time_zone: 'Europe/Berlin' };
const always = { window: null, open: true, opens: null };

let hub: FakeHub;
let answer: object;

beforeEach(() => {
  answer = always;
  hub = new FakeHub().on(/update-window$/, (_url, { method }) =>
    method === 'PUT' ? { body: { msg: 'done', result: answer } } : { body: answer },
  );
});

const owner = person({ group: { id: 'g', role: 'Owner' } as never });
const open = (session: Session = owner) =>
  show(
    [
      {
        path: '/updates/:account_id',
        element: (
          <SessionContext value={session}>
            <UpdateWindowPage />
          </SessionContext>
        ),
      },
    ],
    `/updates/${ACCOUNT}`,
  );
const save = () => screen.getByRole('button', { name: 'Save window' });

it('proposes nights at the weekend, and saves what is chosen', async () => {
  open();
  expect(await screen.findByRole('status')).toHaveTextContent('Devices may be updated at any time.');
  expect(save()).toBeDisabled();
  const user = userEvent.setup();
  await user.click(screen.getByRole('radio', { name: 'In a window' }));
  expect(screen.getByRole('checkbox', { name: 'Sun' })).toBeChecked();
  await user.click(screen.getByRole('checkbox', { name: 'Sun' }));
  await user.click(screen.getByRole('checkbox', { name: 'Mon' }));
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '22:30' } });
  expect(screen.getByText('It closes at 05:00 on the next day.')).toBeInTheDocument();
  await user.click(save());
  await waitFor(() =>
    expect(hub.lastBody(PATH)).toEqual({
      window: {
        days: ['mon', 'sat'],
        from: '22:30',
        to: '05:00',
        time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    }),
  );
});

it('shows the window, when it opens by its own clock, and removes it', async () => {
  answer = { window: night, open: false, opens: '2026-03-07T21:00:00.000Z' };
  open();
  expect(await screen.findByRole('status')).toHaveTextContent(
    // Versions of ICU differ in the comma.
    /^The window is closed\. It opens Sat,? 7 Mar, 22:00 \(Europe\/Berlin\)\.$/,
  );
  expect(screen.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Berlin');
  const user = userEvent.setup();
  await user.click(screen.getByRole('radio', { name: 'At any time' }));
  await user.click(save());
  await waitFor(() => expect(hub.lastBody(PATH)).toEqual({ window: null }));
});

it('saves no window without a day or a time', async () => {
  answer = { window: night, open: true, opens: null };
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('checkbox', { name: 'Sat' }));
  expect(screen.getByText('Choose at least one day.')).toBeInTheDocument();
  expect(save()).toBeDisabled();
  await user.click(screen.getByRole('checkbox', { name: 'Fri' }));
  expect(save()).toBeEnabled();
  fireEvent.change(screen.getByLabelText('To'), { target: { value: '' } });
  expect(screen.getByText('Enter a time such as 02:00.')).toBeInTheDocument();
  expect(save()).toBeDisabled();
});

it('shows the window of another account to an operator’s Admin, who can’t change it', async () => {
  answer = { window: night, open: true, opens: null };
  open(person({ account: 'another', operator: true, group: { id: 'g', role: 'Admin' } as never }));
  expect(await screen.findByRole('status')).toHaveTextContent('The window is open');
  expect(screen.getByRole('checkbox', { name: 'Sat' })).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Save window' })).not.toBeInTheDocument();
});
