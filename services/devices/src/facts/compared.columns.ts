/** Facts of `device_facts` that filters compare, as columns beside the value that has them all. Older agents do not report them. */
export const COMPARED = {
  fullest_disk_usage: 'double precision',
  load: 'double precision',
  clock_offset: 'integer',
} as const;

/** Where the fullest disk is mounted, over `device_facts f`: `/` where a replica of 0.1.0, which does not know it, has written last. */
export const FULLEST_DISK = `COALESCE(CASE WHEN f.facts_at = f.reported THEN f.facts->>'fullest_disk' END, '/')`;
