import type { Sql } from '@warren/platform/database/sql';
import { DOMAIN_LIMITS } from '@warren/rules/domains';
import type { DomainEntity, Finding } from './domain.entity.ts';

/** A domain of an account, by its id. */
export type Place = Pick<DomainEntity, 'accountId' | 'id'>;

const COLUMNS = `id, account_id AS "accountId", name, token, created_by AS "createdBy", created, verified, proof,
  verified_by AS "verifiedBy", checked, finding, lost`;

/**
 * Claims the turn to check a domain. The turn belongs to the account and the name, so that removing a domain and claiming it again wins none.
 * @returns undefined for an unknown one, and too soon after the last check
 */
export async function takeCheck(sql: Sql, { accountId, id }: Place): Promise<DomainEntity | undefined> {
  await sql.query(
    `DELETE FROM domain_checks WHERE account_id = $1
       AND checked <= now() - make_interval(secs => ${DOMAIN_LIMITS.secondsBetweenChecks})`,
    [accountId],
  );
  const [rows] = await sql.query<[DomainEntity[], number]>(
    `WITH turn AS (
       INSERT INTO domain_checks (account_id, name)
         SELECT account_id, name FROM account_domains WHERE account_id = $1 AND id = $2
         ON CONFLICT DO NOTHING RETURNING account_id, name)
     UPDATE account_domains SET checked = now() WHERE (account_id, name) IN (SELECT account_id, name FROM turn)
     RETURNING ${COLUMNS}`,
    [accountId, id],
  );
  return rows[0];
}

/** Claims the turns to check domains that DNS proved, and that nobody has checked for a day. */
export async function takeDue(sql: Sql, limit: number): Promise<DomainEntity[]> {
  const [rows] = await sql.query<[DomainEntity[], number]>(
    `UPDATE account_domains SET checked = now() WHERE id IN (
       SELECT id FROM account_domains WHERE proof = 'dns' AND checked < now() - interval '1 day'
       ORDER BY checked LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING ${COLUMNS}`,
    [limit],
  );
  return rows;
}

/** Stores what a lookup found. A domain that DNS proved is lost from the first lookup that does not find the record. */
export async function saveFinding(sql: Sql, { accountId, id }: Place, finding: Finding): Promise<DomainEntity> {
  const [rows] = await sql.query<[DomainEntity[], number]>(
    `UPDATE account_domains SET finding = $2, lost = CASE
       WHEN $2 = 'found' OR proof <> 'dns' THEN NULL
       WHEN $2 = 'unreachable' THEN lost
       ELSE COALESCE(lost, now()) END
     WHERE account_id = $3 AND id = $1 RETURNING ${COLUMNS}`,
    [id, finding, accountId],
  );
  return rows[0] as DomainEntity;
}

/** Stores that a domain is verified, and by what. */
export async function saveProof(
  sql: Sql,
  { accountId, id }: Place,
  { proof, by }: { proof: DomainEntity['proof']; by: string },
): Promise<DomainEntity> {
  const [rows] = await sql.query<[DomainEntity[], number]>(
    `UPDATE account_domains SET verified = now(), proof = $2, verified_by = $3, lost = NULL WHERE account_id = $4 AND id = $1 RETURNING ${COLUMNS}`,
    [id, proof, by, accountId],
  );
  return rows[0] as DomainEntity;
}
