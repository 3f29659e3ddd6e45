import { notifications } from '@mantine/notifications';
import { errorText } from './api/errors.ts';

/** What happened, and then what that means; bottom-right for 5 seconds. */
export function succeeded(title: string, detail: string): void {
  notifications.show({ title, message: detail, color: 'teal' });
}

/** Why something did not happen, in the hub's words. */
export function failed(error: unknown, fallback?: string): void {
  notifications.show({ message: errorText(error, fallback), color: 'red', role: 'alert' });
}
