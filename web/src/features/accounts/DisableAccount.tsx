import { peopleApi } from '../../lib/api/people.ts';
import type { Account } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { undoable } from '../../ui/undoable.tsx';

const text = messages.accounts;

export function DisableAccount({ account, onClose }: { account: Account; onClose: () => void }) {
  const [set] = peopleApi.useSetAccountStatusMutation();
  return (
    <Confirmation
      lead={text.disableLead(account.name)}
      losses={text.disableLosses}
      note={text.disableNote}
      confirm={text.disable}
      act={() => set({ id: account.id, status: 'Inactive' }).unwrap()}
      onDone={() => {
        onClose();
        const undo = () => set({ id: account.id, status: 'Active' }).unwrap();
        undoable(text.updated, text.updatedDetail(account.name, 'Inactive'), undo);
      }}
      onCancel={onClose}
    />
  );
}
