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
  /** Null if the link is gone. */
  maker_id: string | null;
}

/**
 * Marks the links in force that an event concerns, and brings forward reviews that were postponed.
 * @param seconds until the review, so that a burst of events is one review
 */
export async function markReviews(sql: Sql, of: Concerned, seconds: number): Promise<void> {
  await sql.query(
    `INSERT INTO guest_reviews AS r (link_id, due_at)
     SELECT id, now() + make_interval(secs => $4) FROM guest_links WHERE ended_at IS NULL AND expires_at > now()
       AND ($1::uuid IS NULL OR maker_id = $1) AND ($2::uuid IS NULL OR account_id = $2)
       AND ($3::uuid[] IS NULL OR device_id = ANY($3)) ORDER BY id
     ON CONFLICT (link_id) DO UPDATE SET marks = r.marks + 1, due_at = LEAST(r.due_at, excluded.due_at)`,
    [of.makerId ?? null, of.accountId ?? null, of.deviceIds ?? null, seconds],
  );
}

/**
 * Claims the due reviews of one maker: of the one who waits for the longest.
 * @param busy makers to pass over
 * @param most how many
 * @param seconds until another replica takes them, if this one dies
 */
export async function claimReviews(
  sql: Sql,
  busy: readonly string[],
  most: number,
  seconds: number,
): Promise<ClaimedReview[]> {
  const [rows] = await sql.query<[ClaimedReview[], number]>(
    `WITH due AS (
       SELECT r.link_id, l.maker_id FROM guest_reviews r LEFT JOIN guest_links l ON l.id = r.link_id
       WHERE r.due_at <= now() AND (r.claimed_until IS NULL OR r.claimed_until <= now())
         AND (l.maker_id IS NULL OR l.maker_id <> ALL($1::uuid[]))
       ORDER BY r.due_at LIMIT 1 FOR UPDATE OF r SKIP LOCKED
     ), those AS (
       SELECT r.link_id FROM guest_reviews r LEFT JOIN guest_links l ON l.id = r.link_id
       JOIN due ON due.link_id = r.link_id OR due.maker_id = l.maker_id
       WHERE r.due_at <= now() AND (r.claimed_until IS NULL OR r.claimed_until <= now())
       LIMIT $2 FOR UPDATE OF r SKIP LOCKED
     )
     UPDATE guest_reviews SET claimed_until = now() + make_interval(secs => $3) WHERE link_id IN (SELECT link_id FROM those)
     RETURNING link_id, marks, (SELECT maker_id FROM due)`,
    [busy, most, seconds],
  );
  return rows;
}

/** How many reviews are due or claimed, and for how many seconds the oldest has waited since the event; 0 if there is none. */
export async function waitingReviews(sql: Sql): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await sql.query<{ due: number; oldest: number }[]>(
    `SELECT count(*) FILTER (WHERE due_at <= now())::int AS due,
       coalesce(extract(epoch FROM now() - min(marked_at)), 0)::float8 AS oldest FROM guest_reviews`,
  );
  return { due: row?.due ?? 0, oldestSeconds: Math.max(0, row?.oldest ?? 0) };
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
  await sql.query(
    `WITH those AS (SELECT link_id FROM guest_reviews WHERE link_id = ANY($1) ORDER BY link_id FOR UPDATE)
     UPDATE guest_reviews SET marked_at = now(), due_at = now() + make_interval(secs => $2), claimed_until = NULL
     WHERE link_id IN (SELECT link_id FROM those)`,
    [ids, seconds],
  );
}

/** Makes reviews that could not be done due in some seconds. */
export async function postponeReviews(sql: Sql, ids: readonly string[], seconds: number): Promise<void> {
  await sql.query(
    `WITH those AS (SELECT link_id FROM guest_reviews WHERE link_id = ANY($1) ORDER BY link_id FOR UPDATE)
     UPDATE guest_reviews SET due_at = now() + make_interval(secs => $2), claimed_until = NULL
     WHERE link_id IN (SELECT link_id FROM those)`,
    [ids, seconds],
  );
}
