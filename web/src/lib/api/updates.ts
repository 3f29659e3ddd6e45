import { fresh, isAbout, keepLive } from './api.ts';
import type { ChangeEvent } from './changes.ts';
import { updatesApi as generated } from './generated/updates.ts';

const isRollout = (change: ChangeEvent) => change.kind === 'rollout';

/** The calls about agent versions and rollouts, loaded with the screens that show them. */
export const updatesApi = generated.enhanceEndpoints({
  endpoints: {
    startRollout: { invalidatesTags: ['Rollout'] },
    setRolloutShare: { invalidatesTags: ['Rollout'] },
    changeRollout: { invalidatesTags: ['Rollout'] },
    retryRolloutDevice: { invalidatesTags: ['Rollout'] },
    listRollouts: {
      providesTags: ['Rollout'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listRollouts.initiate(arg, fresh)),
          (change) => isRollout(change) || change.kind === 'device',
        ),
    },
    listRolloutDevices: {
      providesTags: ['Rollout'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(entry, () => entry.dispatch(generated.endpoints.listRolloutDevices.initiate(arg, fresh)), isRollout),
    },
    setUpdateWindow: { invalidatesTags: ['Window', 'Rollout'] },
    getUpdateWindow: {
      providesTags: ['Window'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getUpdateWindow.initiate(arg, fresh)),
          (change) => isAbout(change, 'account', arg.id),
        ),
    },
    listAgentVersions: {
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.listAgentVersions.initiate(arg, fresh)),
          (change) => isRollout(change) || change.kind === 'device',
        ),
    },
  },
});
