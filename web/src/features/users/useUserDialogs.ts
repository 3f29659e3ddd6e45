import type { User } from '../../lib/api/types.ts';
import { useDialog } from '../../ui/useDialog.ts';
import type { DialogControl } from '../../ui/useDialog.ts';

/** The actions on users, each in a separate dialog. */
export interface UserDialogControls {
  remove: DialogControl<User>;
  disable: DialogControl<User>;
  move: DialogControl<User>;
  reset: DialogControl<User>;
}

export function useUserDialogs(): UserDialogControls {
  return { remove: useDialog<User>(), disable: useDialog<User>(), move: useDialog<User>(), reset: useDialog<User>() };
}
