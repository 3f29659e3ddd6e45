import { notifications } from '@mantine/notifications';
import { errorText } from './api/errors.ts';
import { messages } from './messages.ts';
import { wantToasts } from './toasts-wanted.ts';

const closeButtonProps = { 'aria-label': messages.common.close };

/** Shows what happened and what it means, bottom-right for 5 seconds. */
export function succeeded(title: string, detail: string): void {
  wantToasts();
  notifications.show({ title, message: detail, color: 'teal', closeButtonProps });
}

/** Why something did not happen, in the hub's words. */
export const failed = (error: unknown, fallback?: string): void => refused(errorText(error, fallback));

/** Why something did not happen, where no call failed. */
export function refused(reason: string): void {
  wantToasts();
  notifications.show({ message: reason, color: 'red', role: 'alert', closeButtonProps });
}
