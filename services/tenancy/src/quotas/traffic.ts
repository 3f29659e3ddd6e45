import { byteUnit } from '@warren/rules/quotas';

const { each } = byteUnit('traffic') ?? { each: 1 };

/** SQL for the first day of the current month, in UTC. */
const MONTH = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

/** SQL for the bytes that an account has used in the current month, as text; null for none. @param accountId an expression */
export const trafficOf = (accountId: string) =>
  `(SELECT bytes::text FROM usage_months WHERE account_id = ${accountId} AND month = ${MONTH})`;

/** Traffic of each account in the current month, in the unit of its quota. */
export const TRAFFIC_USES = `SELECT account_id, bytes / ${each}::numeric AS n FROM usage_months WHERE month = ${MONTH}`;

/** Whether a limit is used up. @param bytes used, as PostgreSQL returns a bigint; null for none */
export function isUsedUp(limit: number | null, bytes: string | null): boolean {
  return limit !== null && Number(bytes ?? 0) >= limit * each;
}
