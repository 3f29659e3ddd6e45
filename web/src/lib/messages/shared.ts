/** Texts of Home and the shell that other pages use too: a part of its own, so that the first load does not bring those pages' texts. */
export const shared = {
  bulkJobs: 'Bulk jobs',
  severities: { critical: 'Critical', warning: 'Warning', info: 'Info' },
  unknownVersion: 'Not reported yet',
} as const;
