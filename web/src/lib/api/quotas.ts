import { fresh, keepLive } from './api.ts';
import { quotasApi as generated } from './generated/quotas.ts';

const COUNTED: readonly string[] = ['account', 'user', 'invitation', 'device'];

/** The calls about an account's limits and their use, loaded with the screens that show them. */
export const quotasApi = generated.enhanceEndpoints({
  endpoints: {
    setQuotas: { invalidatesTags: ['Quota'] },
    getQuotas: {
      providesTags: ['Quota'],
      onCacheEntryAdded: (arg, entry) =>
        keepLive(
          entry,
          () => entry.dispatch(generated.endpoints.getQuotas.initiate(arg, fresh)),
          (change) => COUNTED.includes(change.kind),
        ),
    },
  },
});
