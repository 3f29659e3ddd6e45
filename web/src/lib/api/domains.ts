import { domainsApi as generated } from './generated/domains.ts';

/** Domains of accounts, loaded with the screen that shows them. */
export const domainsApi = generated.enhanceEndpoints({
  endpoints: {
    listDomains: { providesTags: ['Domain'] },
    claimDomain: { invalidatesTags: ['Domain'] },
    checkDomain: { invalidatesTags: ['Domain'] },
    confirmDomain: { invalidatesTags: ['Domain'] },
    removeDomain: { invalidatesTags: ['Domain'] },
  },
});
