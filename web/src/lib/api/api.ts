import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { changes } from './changes.ts';
import type { Change, ChangeEvent } from './changes.ts';
import { isGone } from './gone.ts';
import { listsApi } from './generated/lists.ts';
import { throttle } from './throttle.ts';

const REFRESH_MS = 1_000;

export interface Entry {
  dispatch: ThunkDispatch<unknown, unknown, UnknownAction>;
  cacheDataLoaded: Promise<unknown>;
  cacheEntryRemoved: Promise<void>;
  getCacheEntry: () => { status: string };
}

/** Reloads a cached answer when a change concerns it, at most once a second, until the cache entry ends. */
export async function keepLive(
  entry: Entry,
  refresh: () => unknown,
  concerns: (change: ChangeEvent) => boolean,
): Promise<void> {
  const asked = performance.now();
  // Without a first answer there is nothing to refresh, and maybe no session.
  await entry.cacheDataLoaded.catch(() => undefined);
  const load = async () => {
    // An answer on its way may be older than the change, and a refresh meanwhile is only that answer.
    const isLate = entry.getCacheEntry().status === 'pending';
    await refresh();
    if (isLate) again.call();
  };
  const again = throttle(() => void load(), REFRESH_MS);
  const undo = changes.subscribe((change) => {
    if (change.kind === 'resync' || concerns(change)) again.call();
  }, asked);
  await entry.cacheEntryRemoved;
  undo();
  again.cancel();
}

const isChange = (event: ChangeEvent): event is Change => 'account' in event;

/**
 * Tells whether a change concerns this object, unless this console has deleted it. The hub leaves out the id of a device for people who see some
 * devices of an account.
 */
export const isAbout = (event: ChangeEvent, kind: Change['kind'], id: string): boolean =>
  isChange(event) && event.kind === kind && (event.id === id || event.id === '') && !isGone(id);

/** Tags a list, which every change of an object of its type concerns. Pages of single objects are tagged by id. */
export const listOf = <Type extends string>(type: Type) => [{ type, id: 'LIST' }];

export const inAccount = (account: string | undefined, change: ChangeEvent) =>
  !account || (isChange(change) && account === change.account);

export const fresh = { subscribe: false, forceRefetch: true } as const;

/** The queries of screens, and what refreshes their answers; others are in `device-actions.ts` and `people.ts`. */
export const api = listsApi.enhanceEndpoints({
  endpoints: {
    getSession: {
      providesTags: ['Session'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.getSession.initiate(arg, fresh)),
          (change) => change.kind === 'broken' || change.kind === 'user' || change.kind === 'account',
        ),
    },
    // A token works once, so it is not cached.
    getSocketToken: { keepUnusedDataFor: 0 },
    getHome: {
      providesTags: listOf('Device'),
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.getHome.initiate(arg, fresh)),
          (change) => change.kind === 'device' && inAccount(arg.account, change),
        ),
    },
    getAlertCounts: {
      providesTags: ['Alert'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.getAlertCounts.initiate(arg, fresh)),
          (change) => change.kind === 'alert' && inAccount(arg.account, change),
        ),
    },
    listDevices: {
      providesTags: listOf('Device'),
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.listDevices.initiate(arg, fresh)),
          (change) => change.kind === 'account' || (change.kind === 'device' && inAccount(arg.account, change)),
        ),
    },
    getDevice: {
      providesTags: (_answer, _error, { id }) => [{ type: 'Device', id }],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.getDevice.initiate(arg, fresh)),
          (change) => isAbout(change, 'device', arg.id),
        ),
    },
    listAccounts: {
      providesTags: listOf('Account'),
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.listAccounts.initiate(arg, fresh)),
          (change) => change.kind === 'account' || change.kind === 'user',
        ),
    },
    listGroups: {
      providesTags: ['Group'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.listGroups.initiate(arg, fresh)),
          (change) => (change.kind === 'group' || change.kind === 'user') && inAccount(arg.account, change),
        ),
    },
    listUsers: {
      providesTags: listOf('User'),
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(listsApi.endpoints.listUsers.initiate(arg, fresh)),
          (change) => change.kind === 'user' && inAccount(arg.account, change),
        ),
    },
  },
});
