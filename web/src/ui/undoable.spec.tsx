import { expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { notificationsStore } from '@mantine/notifications';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { theme } from './theme.ts';
import { undoable } from './undoable.tsx';

const toasts = () => notificationsStore.getState().notifications;

it('undoes the action once', async () => {
  const undo = jest.fn(async () => undefined);
  undoable('Custom name successfully changed', 'eta is called theta now.', undo);
  // Mantine's toast needs APIs that jsdom lacks.
  render(
    <MantineProvider theme={theme} env="test">
      {toasts()[0]?.message}
    </MantineProvider>,
  );
  expect(screen.getByText('eta is called theta now.')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(toasts()).toEqual([]);
});
