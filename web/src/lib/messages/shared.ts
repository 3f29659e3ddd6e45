/** Texts of Home and the shell that other pages use too. They are apart, so that the first load does not bring the texts of those pages. */
export const shared = {
  bulkJobs: 'Bulk jobs',
  severities: { critical: 'Critical', warning: 'Warning', info: 'Info' },
  unknownVersion: 'Not reported yet',
} as const;
