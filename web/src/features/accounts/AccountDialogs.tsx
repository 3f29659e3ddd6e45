import { messages } from '../../lib/messages.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { AssignOwner } from './AssignOwner.tsx';
import { CreateAccount } from './CreateAccount.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { DisableAccount } from './DisableAccount.tsx';
import type { AccountDialogControls } from './useAccountDialogs.ts';

const text = messages.accounts;

interface AccountDialogsProps {
  dialogs: AccountDialogControls;
  /** Called after a deletion: for a page that shows only this account. */
  onRemoved?: () => void;
}

export function AccountDialogs({ dialogs, onRemoved }: AccountDialogsProps) {
  const { create, owner, disable, remove } = dialogs;
  return (
    <>
      <Dialog control={create} title={text.create}>
        {() => <CreateAccount onClose={create.close} />}
      </Dialog>
      <Dialog control={owner} title={owner.subject?.owner ? text.change : text.assign}>
        {(account) => <AssignOwner account={account} onClose={owner.close} />}
      </Dialog>
      <Dialog control={disable} title={text.disable}>
        {(account) => <DisableAccount account={account} onClose={disable.close} />}
      </Dialog>
      <Dialog control={remove} title={text.delete}>
        {(account) => (
          <DeleteAccount
            account={account}
            onClose={remove.close}
            onRemoved={() => {
              remove.close();
              onRemoved?.();
            }}
          />
        )}
      </Dialog>
    </>
  );
}
