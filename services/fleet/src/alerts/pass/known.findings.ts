import type { Sql } from '@warren/platform/database/sql';
import type { Known } from '../matching/questions.ts';
import { readHits } from '../records/expressions.sql.ts';
import { readFull, type DiskTrend } from '../records/trends.sql.ts';
import type { Finding } from './details.ts';

const DAY_MS = 86_400_000;

/** What fleet itself found of the devices of accounts, by device. */
export async function knownFindings(
  sql: Sql,
  known: Known,
  { accountIds, now }: { accountIds: readonly string[]; now: Date },
): Promise<Map<string, Finding>> {
  if ('holdsFor' in known) {
    const hits = await readHits(sql, known.holdsFor);
    return new Map(hits.map(({ device_id: id, detail, value }) => [id, { detail, value }]));
  }
  const full = await readFull(sql, accountIds, new Date(now.getTime() + known.fullWithin * DAY_MS));
  return new Map(full.map((trend) => [trend.device_id, fullIn(now, trend)]));
}

function fullIn(now: Date, { mount, full_at: at }: DiskTrend): Finding {
  const days = Math.round(Math.max(0, (at.getTime() - now.getTime()) / DAY_MS) * 10) / 10;
  return { detail: `${mount} is full in ${days} days at the present pace.`, value: days };
}
