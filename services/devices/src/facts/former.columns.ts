/**
 * Columns that 0.1.0 reads facts from and writes them to: it works beside this version during an upgrade, and in its place after going
 * back. The next release drops them, with this file.
 */
export const FORMER_OF_DEVICES = {
  cpu_cores: 'integer',
  total_ram: 'bigint',
  total_disk: 'bigint',
  os: 'text',
  kernel: 'text',
  arch: 'text',
  model: 'text',
} as const;

/** The same of `device_facts`. */
export const FORMER_USAGE = {
  cpu_usage: 'double precision',
  used_ram: 'bigint',
  used_disk: 'bigint',
  uptime_seconds: 'bigint',
  temperature: 'integer',
  throttled: 'integer',
} as const;

const pairs = (alias: string, columns: object) => Object.keys(columns).map((name) => `'${name}', ${alias}.${name}`);

/** The facts of `devices d` and `device_facts f`: from the columns where a replica of 0.1.0 has written last. */
export const FACTS_OF_DEVICE = `
  CASE WHEN f.facts_at = f.reported THEN f.facts
    ELSE jsonb_strip_nulls(jsonb_build_object(${[...pairs('d', FORMER_OF_DEVICES), ...pairs('f', FORMER_USAGE)].join()}))
  END`;
