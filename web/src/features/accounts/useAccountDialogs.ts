import type { Account } from '../../lib/api/types.ts';
import { useDialog } from '../../ui/useDialog.ts';
import type { DialogControl } from '../../ui/useDialog.ts';

/** The actions on accounts, each in a separate dialog. */
export interface AccountDialogControls {
  create: DialogControl<true>;
  owner: DialogControl<Account>;
  disable: DialogControl<Account>;
  remove: DialogControl<Account>;
}

export function useAccountDialogs(): AccountDialogControls {
  return {
    create: useDialog<true>(),
    owner: useDialog<Account>(),
    disable: useDialog<Account>(),
    remove: useDialog<Account>(),
  };
}
