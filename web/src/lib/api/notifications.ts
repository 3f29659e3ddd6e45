import { fresh, inAccount, keepLive } from './api.ts';
import type { ChangeEvent } from './changes.ts';
import { notificationsApi as generated } from './generated/notifications.ts';

const concerns = (account: string | undefined) => (change: ChangeEvent) =>
  change.kind === 'alert' && inAccount(account, change);

/** Where notifications go, and what became of them, loaded with the screens that show them. */
export const notificationsApi = generated.enhanceEndpoints({
  endpoints: {
    createNotificationChannel: { invalidatesTags: ['Channel'] },
    changeNotificationChannel: { invalidatesTags: ['Channel'] },
    deleteNotificationChannel: { invalidatesTags: ['Channel', 'Notification'] },
    testNotificationChannel: { invalidatesTags: ['Channel', 'Notification'] },
    rotateNotificationChannelSecret: { invalidatesTags: ['Channel'] },
    retryNotification: { invalidatesTags: ['Notification'] },
    listNotificationChannels: {
      providesTags: ['Channel'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listNotificationChannels.initiate(arg, fresh)),
          concerns(arg.account),
        ),
    },
    listNotifications: {
      providesTags: ['Notification'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listNotifications.initiate(arg, fresh)),
          concerns(arg.account),
        ),
    },
  },
});
