import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messages } from '../lib/messages.ts';
import { failed } from '../lib/toast.ts';
import { wantToasts } from '../lib/toasts-wanted.ts';

/** Shows a toast about an action, with a button to undo it. */
export function undoable(title: string, detail: string, undo: () => Promise<unknown>): void {
  wantToasts();
  const takeBack = () => {
    notifications.hide(id);
    undo().catch((error: unknown) => failed(error));
  };
  const id = notifications.show({
    title,
    color: 'teal',
    closeButtonProps: { 'aria-label': messages.common.close },
    message: (
      <>
        <span>{detail}</span>{' '}
        <Anchor component="button" type="button" size="sm" onClick={takeBack}>
          {messages.common.undo}
        </Anchor>
      </>
    ),
  });
}
