import { tokensApi as generated } from './generated/tokens.ts';

/** API tokens, loaded with the screens that show them. */
export const tokensApi = generated.enhanceEndpoints({
  endpoints: {
    listOwnTokens: { providesTags: ['Token'] },
    listTokens: { providesTags: ['Token'] },
    createToken: { invalidatesTags: ['Token'] },
    revokeOwnToken: { invalidatesTags: ['Token'] },
    revokeToken: { invalidatesTags: ['Token'] },
  },
});
