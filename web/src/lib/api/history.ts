import { fresh, inAccount, isAbout, keepLive, listOf } from './api.ts';
import { historyApi as generated } from './generated/history.ts';

/** The queries of recent events, loaded with the screens that show them. */
export const historyApi = generated.enhanceEndpoints({
  endpoints: {
    listActivity: {
      providesTags: listOf('Device'),
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listActivity.initiate(arg, fresh)),
          (change) => change.kind === 'device' && inAccount(arg.account, change),
        ),
    },
    getDeviceTrend: {
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getDeviceTrend.initiate(arg, fresh)),
          (change) => change.kind === 'device' && inAccount(arg.account, change),
        ),
    },
    getDevicePresence: {
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getDevicePresence.initiate(arg, fresh)),
          (change) => isAbout(change, 'device', arg.id),
        ),
    },
  },
});
