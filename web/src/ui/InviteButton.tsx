import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { messages } from '../lib/messages.ts';
import { Dialog } from './Dialog.tsx';
import { Invite } from './Invite.tsx';
import type { InviteInto } from './Invite.tsx';
import { useDialog } from './useDialog.ts';

const text = messages.groups;

export function InviteButton({ into, primary = false }: { into: InviteInto; primary?: boolean }) {
  const dialog = useDialog<InviteInto>();
  return (
    <>
      <Button
        variant={primary ? 'filled' : 'default'}
        leftSection={<IconUserPlus size={16} aria-hidden />}
        onClick={() => dialog.open(into)}
      >
        {text.invite}
      </Button>
      <Dialog control={dialog} title={text.addMembers}>
        {(where) => <Invite into={where} onClose={dialog.close} />}
      </Dialog>
    </>
  );
}
