import { peopleApi } from '../../lib/api/people.ts';
import type { Account } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';

const text = messages.accounts;

interface DeleteAccountProps {
  account: Account;
  onClose: () => void;
  onRemoved: () => void;
}

export function DeleteAccount({ account, onClose, onRemoved }: DeleteAccountProps) {
  const [remove] = peopleApi.useDeleteAccountMutation();
  return (
    <Confirmation
      lead={text.deleteLead(account.name)}
      losses={text.deleteLosses}
      note={text.deleteNote}
      typed={account.name}
      confirm={text.delete}
      act={() => remove({ id: account.id }).unwrap()}
      onDone={() => {
        onRemoved();
        succeeded(text.removed, text.removedDetail(account.name));
      }}
      onCancel={onClose}
    />
  );
}
