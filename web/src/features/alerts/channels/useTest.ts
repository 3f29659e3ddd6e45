import type { NotificationChannel } from '../../../lib/api/types.ts';
import { notificationsApi } from '../../../lib/api/notifications.ts';
import { channels as text } from '../../../lib/messages/channels.ts';
import { failed, refused, succeeded } from '../../../lib/toast.ts';

/** Sends a test message to a channel, and says what became of it. */
export function useTest({ id, name }: NotificationChannel): { test: () => void; isBusy: boolean } {
  const [send, { isLoading }] = notificationsApi.useTestChannelMutation();
  const test = () =>
    void send({ id })
      .unwrap()
      .then(
        ({ delivered, reason }) =>
          delivered
            ? succeeded(text.delivered, text.testDelivered(name))
            : refused(text.testFailed(name, reason ?? '')),
        (error: unknown) => failed(error),
      );
  return { test, isBusy: isLoading };
}
