import { fresh, inAccount, keepLive } from './api.ts';
import type { ChangeEvent } from './changes.ts';
import { notificationsApi as generated } from './generated/notifications.ts';

const concerns = (account: string | undefined) => (change: ChangeEvent) =>
  change.kind === 'alert' && inAccount(account, change);

/** Where notifications go, and what became of them, loaded with the screens that show them. */
export const notificationsApi = generated.enhanceEndpoints({
  endpoints: {
    createChannel: { invalidatesTags: ['Channel'] },
    updateChannel: { invalidatesTags: ['Channel'] },
    deleteChannel: { invalidatesTags: ['Channel', 'Notification'] },
    testChannel: { invalidatesTags: ['Channel', 'Notification'] },
    rotateChannelSecret: { invalidatesTags: ['Channel'] },
    retryNotification: { invalidatesTags: ['Notification'] },
    listChannels: {
      providesTags: ['Channel'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listChannels.initiate(arg, fresh)),
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
