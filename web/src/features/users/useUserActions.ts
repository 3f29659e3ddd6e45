import { IconArrowsExchange, IconBan, IconCircleCheck, IconKeyOff, IconTrash } from '@tabler/icons-react';
import { mayManageUser } from '../../lib/access.ts';
import { peopleApi } from '../../lib/api/people.ts';
import type { User } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { useSession } from '../../lib/session.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import type { RowAction } from '../../ui/RowMenu.tsx';
import type { UserDialogControls } from './useUserDialogs.ts';

const text = messages.users;

/** The actions on a user; the group can't be changed from inside a group. */
export function useUserActions(user: User, dialogs: UserDialogControls, inGroup: boolean): RowAction[] {
  const session = useSession();
  const [change] = peopleApi.useChangeUserMutation();
  const enable = () =>
    void change({ id: user.id, userChange: { status: 'Active' } })
      .unwrap()
      .then(
        () => succeeded(text.updated, text.updatedDetail(user.name || user.email, 'Active')),
        (error: unknown) => failed(error),
      );
  if (!mayManageUser(session, user)) return [];
  const status: RowAction =
    user.status === 'Active'
      ? { label: text.disable, icon: IconBan, act: () => dialogs.disable.open(user) }
      : { label: text.enable, icon: IconCircleCheck, act: enable };
  const move: RowAction = { label: text.change, icon: IconArrowsExchange, act: () => dialogs.move.open(user) };
  const remove: RowAction = { label: text.delete, icon: IconTrash, danger: true, act: () => dialogs.remove.open(user) };
  const reset: RowAction = { label: text.reset, icon: IconKeyOff, act: () => dialogs.reset.open(user) };
  return inGroup ? [status, reset, remove] : [move, status, reset, remove];
}
