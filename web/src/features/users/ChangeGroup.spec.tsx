import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { User } from '../../lib/api/types.ts';
import { SessionContext } from '../../lib/session.ts';
import { FakeHub } from '../../testing/fake-hub.ts';
import { ACCOUNT, person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { ChangeGroup } from './ChangeGroup.tsx';

it('says of Members that group rules may move the user again', async () => {
  const names = ['Members', 'Developers'].map((name) => ({
    _id: name,
    id: name,
    name,
    role: 'Member',
    default: 'Yes',
  }));
  new FakeHub().on(/get_groups/, () => ({ body: { groups: names } }));
  const gil = { id: 'u1', name: 'Gil', email: 'gil@example.org', account: ACCOUNT, group: { id: 'g', name: 'Crew' } };
  const element = (
    <SessionContext value={person({ group: { id: 'o', role: 'Owner' } as never })}>
      <ChangeGroup user={gil as unknown as User} onClose={() => {}} />
    </SessionContext>
  );
  show([{ path: '/', element }], '/');
  const user = userEvent.setup();
  const choose = async (name: string) => {
    await user.click(await screen.findByRole('combobox', { name: /New group/ }));
    await user.click(await screen.findByRole('option', { name }));
  };
  await choose('Developers');
  expect(screen.queryByText(/next sign-in moves the user/)).not.toBeInTheDocument();
  await choose('Members');
  expect(screen.getByText(/next sign-in moves the user/)).toBeInTheDocument();
});
