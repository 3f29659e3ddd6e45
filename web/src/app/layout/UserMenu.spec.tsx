import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SessionContext } from '../../lib/session.ts';
import { keys, recall } from '../../lib/storage.ts';
import { person } from '../../testing/people.ts';
import { show } from '../../testing/render.tsx';
import { UserMenuItems } from './UserMenuItems.tsx';

it('makes tables compact, keeps that in this browser, and takes it back', async () => {
  const element = (
    <SessionContext value={person()}>
      <UserMenuItems>
        <button type="button">Menu</button>
      </UserMenuItems>
    </SessionContext>
  );
  show([{ path: '/', element }], '/');
  const user = userEvent.setup();
  const compact = () => document.documentElement.hasAttribute('data-compact');
  const choose = async (checked: boolean) => {
    const item = await screen.findByRole('menuitemcheckbox', { name: 'Compact tables' });
    expect(item).toHaveAttribute('aria-checked', String(!checked));
    await user.click(item);
    await waitFor(() => expect(compact()).toBe(checked));
  };
  await choose(true);
  expect(recall(keys.rows)).toBe('compact');
  if (!screen.queryByRole('menuitemcheckbox')) await user.click(screen.getByRole('button', { name: 'Menu' }));
  await choose(false);
  expect(recall(keys.rows)).toBeNull();
});
