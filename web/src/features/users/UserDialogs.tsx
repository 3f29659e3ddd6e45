import { peopleApi } from '../../lib/api/people.ts';
import type { User } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { succeeded } from '../../lib/toast.ts';
import { Confirmation } from '../../ui/Confirmation.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { undoable } from '../../ui/undoable.tsx';
import { ChangeGroup } from './ChangeGroup.tsx';
import type { UserDialogControls } from './useUserDialogs.ts';

const text = messages.users;

export const nameOf = (user: Pick<User, 'name' | 'email'>): string => user.name || user.email;

interface UserDialogsProps {
  dialogs: UserDialogControls;
  /** Called after a deletion: for a page that shows only this user. */
  onRemoved?: () => void;
}

export function UserDialogs({ dialogs, onRemoved }: UserDialogsProps) {
  const { remove, disable, move, reset } = dialogs;
  return (
    <>
      <Dialog control={remove} title={text.deleteTitle}>
        {(user) => (
          <DeleteUser
            user={user}
            onClose={remove.close}
            onRemoved={() => {
              remove.close();
              onRemoved?.();
            }}
          />
        )}
      </Dialog>
      <Dialog control={disable} title={text.disableTitle}>
        {(user) => <DisableUser user={user} onClose={disable.close} />}
      </Dialog>
      <Dialog control={move} title={text.changeTitle}>
        {(user) => <ChangeGroup user={user} onClose={move.close} />}
      </Dialog>
      <Dialog control={reset} title={text.resetTitle}>
        {(user) => <ResetSignIn user={user} onClose={reset.close} />}
      </Dialog>
    </>
  );
}

function DeleteUser({ user, onClose, onRemoved }: { user: User; onClose: () => void; onRemoved: () => void }) {
  const [remove] = peopleApi.useDeleteUserMutation();
  return (
    <Confirmation
      lead={text.deleteLead(nameOf(user), user.account_name)}
      note={text.deleteNote}
      typed={nameOf(user)}
      confirm={text.deleteTitle}
      act={() => remove({ id: user.id }).unwrap()}
      onDone={() => {
        onRemoved();
        succeeded(text.removed, text.removedDetail(nameOf(user)));
      }}
      onCancel={onClose}
    />
  );
}

function ResetSignIn({ user, onClose }: { user: User; onClose: () => void }) {
  const [reset] = peopleApi.useResetSignInMutation();
  return (
    <Confirmation
      lead={text.resetLead(user.email)}
      note={text.resetNote}
      confirm={text.resetTitle}
      act={() => reset({ id: user.id }).unwrap()}
      onDone={() => {
        onClose();
        succeeded(text.resetDone, text.resetDetail(nameOf(user)));
      }}
      onCancel={onClose}
    />
  );
}

function DisableUser({ user, onClose }: { user: User; onClose: () => void }) {
  const [change] = peopleApi.useChangeUserMutation();
  return (
    <Confirmation
      lead={text.disableLead(nameOf(user))}
      note={text.disableNote}
      confirm={text.disableTitle}
      act={() => change({ id: user.id, userChange: { status: 'Inactive' } }).unwrap()}
      onDone={() => {
        onClose();
        const undo = () => change({ id: user.id, userChange: { status: 'Active' } }).unwrap();
        undoable(text.updated, text.updatedDetail(nameOf(user), 'Inactive'), undo);
      }}
      onCancel={onClose}
    />
  );
}
