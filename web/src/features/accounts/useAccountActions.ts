import { IconBan, IconCircleCheck, IconTrash, IconUserCheck } from '@tabler/icons-react';
import { peopleApi } from '../../lib/api/people.ts';
import type { Account } from '../../lib/api/types.ts';
import { messages } from '../../lib/messages.ts';
import { failed, succeeded } from '../../lib/toast.ts';
import type { RowAction } from '../../ui/RowMenu.tsx';
import type { AccountDialogControls } from './useAccountDialogs.ts';

const text = messages.accounts;

/** A SuperAdmin's actions on an account: none on the operator account (specification, section 6). */
export function useAccountActions(account: Account, dialogs: AccountDialogControls): RowAction[] {
  const [set] = peopleApi.useSetAccountStatusMutation();
  const enable = () =>
    void set({ id: account.id, status: 'Active' })
      .unwrap()
      .then(
        () => succeeded(text.updated, text.updatedDetail(account.name, 'Active')),
        (error: unknown) => failed(error),
      );
  if (account.operator) return [];
  return [
    { label: account.owner ? text.change : text.assign, icon: IconUserCheck, act: () => dialogs.owner.open(account) },
    account.status === 'Active'
      ? { label: text.disable, icon: IconBan, act: () => dialogs.disable.open(account) }
      : { label: text.enable, icon: IconCircleCheck, act: enable },
    { label: text.delete, icon: IconTrash, danger: true, act: () => dialogs.remove.open(account) },
  ];
}
