import { groupRulesApi as generated } from './generated/group-rules.ts';

/** Rules for groups of identity providers, loaded with the screen that shows them. */
export const groupRulesApi = generated.enhanceEndpoints({
  endpoints: {
    listGroupRules: { providesTags: ['Group'] },
    setGroupRules: { invalidatesTags: ['Group'] },
  },
});
