import { scimApi as generated } from './generated/scim.ts';

/** SCIM tokens, loaded with the screen that shows them. */
export const scimApi = generated.enhanceEndpoints({
  endpoints: {
    listScimTokens: { providesTags: ['Token'] },
    createScimToken: { invalidatesTags: ['Token'] },
    revokeScimToken: { invalidatesTags: ['Token'] },
  },
});
