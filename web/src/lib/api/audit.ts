import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { auditApi as generated } from './generated/audit.ts';

export type AuditDispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

/** The audit trail, loaded with its page. */
export const auditApi = generated.enhanceEndpoints({
  endpoints: {
    // New events come at any time, so a list that was left is read again.
    listAuditEvents: { keepUnusedDataFor: 0 },
    listAuditStreams: { providesTags: ['AuditStream'] },
    createAuditStream: { invalidatesTags: ['AuditStream'] },
    updateAuditStream: { invalidatesTags: ['AuditStream'] },
    deleteAuditStream: { invalidatesTags: ['AuditStream'] },
    rotateAuditStreamSecret: { invalidatesTags: ['AuditStream'] },
    getAuditRetention: { providesTags: ['AuditRetention'] },
    setAuditRetention: { invalidatesTags: ['AuditRetention'] },
  },
});
