import type { Sql } from '@warren/platform/database/sql';

/** Reads the distinct versions by stepping through the index, one look-up for each. */
const VERSIONS = `
  WITH RECURSIVE step AS (
    (SELECT agent_version FROM devices ORDER BY agent_version LIMIT 1)
    UNION ALL
    SELECT (SELECT d.agent_version FROM devices d WHERE d.agent_version > step.agent_version ORDER BY d.agent_version LIMIT 1)
    FROM step WHERE step.agent_version IS NOT NULL
  )
  SELECT agent_version FROM step WHERE agent_version IS NOT NULL LIMIT 1000`;

/** Reads the versions of the agent that devices run, at most 1000. */
export async function readVersions(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ agent_version: string }[]>(VERSIONS);
  return rows.map((row) => row.agent_version);
}
