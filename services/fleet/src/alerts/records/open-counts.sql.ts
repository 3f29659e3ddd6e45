import type { Sql } from '@warren/platform/database/sql';
import type { AlertSeverity } from '@warren/rules/alerts';

/** Numbers of alerts that were open at a time. */
export interface OpenCounts extends Record<AlertSeverity, number> {
  at: Date;
}

/** Which alerts, and over which time. */
interface Asked {
  /** Undefined: of every account. */
  accountId: string | undefined;
  /** If set, only of these devices. */
  deviceIds: readonly string[] | undefined;
  hours: number;
  /** Minutes between two points. */
  minutes: number;
}

/**
 * Counts open alerts over the last hours, oldest first, at the end of each span of so many minutes and now: running sums of what opened
 * and closed in each.
 */
export function readOpenCounts(sql: Sql, { accountId, deviceIds, hours, minutes }: Asked): Promise<OpenCounts[]> {
  const step = `interval '${minutes} minutes'`;
  const bin = (at: string) => `date_bin(${step}, ${at}, '2000-01-01')`;
  const since = `(SELECT since FROM span)`;
  const open = (severity: AlertSeverity) =>
    `(sum(COALESCE(sum(t.change) FILTER (WHERE t.severity = '${severity}'), 0)) OVER (ORDER BY p.at))::int AS ${severity}`;
  return sql.query(
    `WITH span AS (SELECT ${bin(`now() - $1 * interval '1 hour'`)} AS since),
     seen AS MATERIALIZED (
       SELECT severity, GREATEST(opened_at, ${since}) AS opened_at, closed_at FROM alerts
       WHERE (state = 'open' OR (state = 'closed' AND closed_at >= ${since}))
         AND ($2::uuid IS NULL OR account_id = $2) AND ($3::uuid[] IS NULL OR device_id = ANY($3))
     ), turns AS (
       SELECT ${bin('opened_at')} AS at, severity, count(*) AS change FROM seen GROUP BY 1, 2
       UNION ALL
       SELECT ${bin('closed_at')}, severity, -count(*) FROM seen WHERE closed_at IS NOT NULL GROUP BY 1, 2
     ), points AS (SELECT generate_series(${since}, now(), ${step}) AS at)
     SELECT LEAST(p.at + ${step}, now()) AS at, ${open('critical')}, ${open('warning')}, ${open('info')}
     FROM points p LEFT JOIN turns t ON t.at = p.at GROUP BY p.at ORDER BY p.at`,
    [hours, accountId ?? null, deviceIds ?? null],
  );
}
