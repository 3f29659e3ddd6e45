import type { Sql } from '@warren/platform/database/sql';

/** Which links to review: all conditions hold; one that is absent says nothing. */
export interface Concerned {
  makerId?: string;
  accountId?: string;
  deviceIds?: readonly string[];
}

/** A row of `guest_reviews` that this replica works on. */
export interface ClaimedReview {
  link_id: string;
  /** How often it was marked. */
  marks: number;
}

/**
 * Marks the links in force that an event concerns, and brings forward reviews that were postponed.
 * @param seconds until the review, so that a burst of events is one review
 * @param postponed the longest time in seconds that a review is postponed for. A review due later is claimed, and follows when that one is done.
 */
export async function markReviews(sql: Sql, of: Concerned, seconds: number, postponed: number): Promise<void> {
  await sql.query(
    `INSERT INTO guest_reviews AS r (link_id, due_at)
     SELECT id, now() + make_interval(secs => $4) FROM guest_links WHERE ended_at IS NULL AND expires_at > now()
       AND ($1::uuid IS NULL OR maker_id = $1) AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::uuid[] IS NULL OR device_id = ANY($3)) ORDER BY id
     ON CONFLICT (link_id) DO UPDATE SET marks = r.marks + 1, due_at = CASE
       WHEN r.due_at > now() + make_interval(secs => $5) THEN r.due_at ELSE LEAST(r.due_at, excluded.due_at) END`,
    [of.makerId ?? null, of.accountId ?? null, of.deviceIds ?? null, seconds, postponed],
  );
}

/** Claims due reviews. @param seconds until another replica takes them, if this one dies */
export async function claimReviews(sql: Sql, most: number, seconds: number): Promise<ClaimedReview[]> {
  const [rows] = await sql.query<[ClaimedReview[], number]>(
    `UPDATE guest_reviews SET due_at = now() + make_interval(secs => $2)
     WHERE link_id IN (
       SELECT link_id FROM guest_reviews WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
     )
     RETURNING link_id, marks`,
    [most, seconds],
  );
  return rows;
}

/** Removes reviews that are done. @param seconds until the next one of a link that was marked meanwhile */
export async function finishReviews(sql: Sql, done: readonly ClaimedReview[], seconds: number): Promise<void> {
  if (done.length === 0) return;
  const ids = done.map(({ link_id: id }) => id);
  // Locked in the order in which marks are made, so that neither waits for the other.
  await sql.query(
    `WITH settled AS (
       SELECT r.link_id FROM guest_reviews r JOIN unnest($1::uuid[], $2::int[]) AS d (link_id, marks) USING (link_id, marks)
       ORDER BY r.link_id FOR UPDATE OF r
     )
     DELETE FROM guest_reviews WHERE link_id IN (SELECT link_id FROM settled)`,
    [ids, done.map(({ marks }) => marks)],
  );
  await postponeReviews(sql, ids, seconds);
}

/** Makes reviews due in some seconds. */
export async function postponeReviews(sql: Sql, ids: readonly string[], seconds: number): Promise<void> {
  await sql.query(
    `WITH those AS (SELECT link_id FROM guest_reviews WHERE link_id = ANY($1) ORDER BY link_id FOR UPDATE)
     UPDATE guest_reviews SET due_at = now() + make_interval(secs => $2) WHERE link_id IN (SELECT link_id FROM those)`,
    [ids, seconds],
  );
}
