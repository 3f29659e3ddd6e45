import { Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { messages } from '../lib/messages.ts';
import { failed } from '../lib/toast.ts';
import { wantToasts } from '../lib/toasts-wanted.ts';

/** Tells what happened, with a way to take it back while the toast stands. */
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
