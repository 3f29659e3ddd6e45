import { expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Confirmation } from './Confirmation.tsx';
import { Dialog } from './Dialog.tsx';
import { DialogForm } from './DialogForm.tsx';
import { RowMenu } from './RowMenu.tsx';
import { theme } from './theme.ts';
import { useDialog } from './useDialog.ts';

function Row() {
  const ask = useDialog<true>();
  const rename = useDialog<true>();
  const [gone, setGone] = useState(false);
  return (
    <main>
      <h1>Devices</h1>
      {gone ? null : (
        <RowMenu
          name="pump"
          actions={[
            { label: 'Rename', icon: IconPencil, act: () => rename.open(true) },
            { label: 'Delete', icon: IconPencil, act: () => ask.open(true) },
          ]}
        />
      )}
      <Dialog control={rename} title="Rename">
        {() => (
          <DialogForm confirm="Save" busy={false} onConfirm={rename.close} onCancel={rename.close}>
            <input aria-label="Name" data-autofocus />
          </DialogForm>
        )}
      </Dialog>
      <Dialog control={ask} title="Delete device">
        {() => (
          <Confirmation
            lead="Sure?"
            confirm="Delete device"
            act={async () => setGone(true)}
            onDone={ask.close}
            onCancel={ask.close}
          />
        )}
      </Dialog>
    </main>
  );
}

async function choose(action: string) {
  render(
    <MantineProvider theme={theme} env="test">
      <Row />
    </MantineProvider>,
  );
  const button = screen.getByRole('button', { name: 'Actions for pump' });
  await userEvent.click(button);
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  await screen.findByRole('dialog');
  return button;
}

it('focuses the confirming button, and Escape returns the focus to the button of the menu', async () => {
  const button = await choose('Delete');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Delete device' })).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(button).toHaveFocus());
});

it('confirms by Enter, and moves the focus to the heading if the opener is gone', async () => {
  await choose('Delete');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Delete device' })).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Devices' })).toHaveFocus());
});

it('stays open on a click outside if it has input', async () => {
  await choose('Rename');
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'x');
  const overlay = document.querySelector('.mantine-Modal-overlay') as Element;
  await userEvent.click(overlay);
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('x');
});

it('closes on a click outside without input', async () => {
  await choose('Rename');
  await userEvent.click(document.querySelector('.mantine-Modal-overlay') as Element);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});
