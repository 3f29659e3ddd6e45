import { fresh, inAccount, keepLive } from './api.ts';
import type { ChangeEvent } from './changes.ts';
import { alertsApi as generated } from './generated/alerts.ts';

const concerns = (account: string | undefined) => (change: ChangeEvent) =>
  change.kind === 'alert' && inAccount(account, change);

/** Alerts, their rules and silences, loaded with the screens that show them. */
export const alertsApi = generated.enhanceEndpoints({
  endpoints: {
    acknowledgeAlerts: { invalidatesTags: ['Alert'] },
    createAlertRule: { invalidatesTags: ['AlertRule', 'Alert'] },
    changeAlertRule: { invalidatesTags: ['AlertRule', 'Alert'] },
    deleteAlertRule: { invalidatesTags: ['AlertRule', 'Alert'] },
    createAlertSilence: { invalidatesTags: ['AlertSilence', 'Alert'] },
    deleteAlertSilence: { invalidatesTags: ['AlertSilence', 'Alert'] },
    listAlerts: {
      providesTags: ['Alert'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listAlerts.initiate(arg, fresh)),
          concerns(arg.account),
        ),
    },
    getAlertTrend: {
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getAlertTrend.initiate(arg, fresh)),
          concerns(arg.account),
        ),
    },
    listAlertRules: {
      providesTags: ['AlertRule'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listAlertRules.initiate(arg, fresh)),
          concerns(arg.account),
        ),
    },
    listAlertSilences: {
      providesTags: ['AlertSilence'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listAlertSilences.initiate(arg, fresh)),
          concerns(arg.account),
        ),
    },
    // What it says is true for the moment only.
    previewAlertRule: { keepUnusedDataFor: 0 },
  },
});
