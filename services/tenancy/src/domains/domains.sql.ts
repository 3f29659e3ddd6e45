import type { Sql } from '@warren/platform/database/sql';
import { DOMAIN_LIMITS } from '@warren/rules/domains';

/** What a lookup of the record found; `''` before the first. */
export type Finding = 'found' | 'absent' | 'different' | 'unreachable';

/** A row of `account_domains`. */
export interface DomainRow {
  id: string;
  account_id: string;
  name: string;
  token: string;
  created_by: string;
  created: Date;
  verified: Date | null;
  proof: '' | 'dns' | 'operator';
  verified_by: string;
  checked: Date | null;
  finding: '' | Finding;
  lost: Date | null;
}

/** A domain of an account, by its id. */
export interface Place {
  accountId: string;
  id: string;
}

const COLUMNS =
  'id, account_id, name, token, created_by, created, verified, proof, verified_by, checked, finding, lost';

/** Lists the domains of an account, by name. */
export function domainsOf(sql: Sql, accountId: string): Promise<DomainRow[]> {
  return sql.query(`SELECT ${COLUMNS} FROM account_domains WHERE account_id = $1 ORDER BY name`, [accountId]);
}

/** Reads a domain of an account, and locks it until the transaction ends. */
export async function domainOfAccount(sql: Sql, { accountId, id }: Place): Promise<DomainRow | undefined> {
  const rows = await sql.query<DomainRow[]>(
    `SELECT ${COLUMNS} FROM account_domains WHERE account_id = $1 AND id = $2 FOR UPDATE`,
    [accountId, id],
  );
  return rows[0];
}

/** Whether an account has proved that it owns a domain. */
export async function ownsDomain(sql: Sql, accountId: string, name: string): Promise<boolean> {
  const rows = await sql.query<unknown[]>(
    'SELECT FROM account_domains WHERE account_id = $1 AND name = $2 AND verified IS NOT NULL',
    [accountId, name],
  );
  return rows.length > 0;
}

/** Whether another account has proved that it owns a domain. */
export async function isForeignDomain(sql: Sql, accountId: string, name: string): Promise<boolean> {
  const rows = await sql.query<unknown[]>(
    'SELECT FROM account_domains WHERE account_id <> $1 AND name = $2 AND verified IS NOT NULL',
    [accountId, name],
  );
  return rows.length > 0;
}

/** Inserts a domain that nobody has verified. */
export async function insertDomain(
  sql: Sql,
  row: Pick<DomainRow, 'id' | 'account_id' | 'name' | 'token' | 'created_by'>,
): Promise<DomainRow> {
  const rows = await sql.query<DomainRow[]>(
    `INSERT INTO account_domains (id, account_id, name, token, created_by) VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`,
    [row.id, row.account_id, row.name, row.token, row.created_by],
  );
  return rows[0] as DomainRow;
}

/**
 * Claims the turn to check a domain. The turn belongs to the account and the name, so that removing a domain and claiming it again wins none.
 * @returns undefined for an unknown one, and too soon after the last check
 */
export async function takeCheck(sql: Sql, { accountId, id }: Place): Promise<DomainRow | undefined> {
  await sql.query(
    `DELETE FROM domain_checks WHERE account_id = $1
       AND checked <= now() - make_interval(secs => ${DOMAIN_LIMITS.secondsBetweenChecks})`,
    [accountId],
  );
  const [rows] = await sql.query<[DomainRow[], number]>(
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
export async function takeDue(sql: Sql, limit: number): Promise<DomainRow[]> {
  const [rows] = await sql.query<[DomainRow[], number]>(
    `UPDATE account_domains SET checked = now() WHERE id IN (
       SELECT id FROM account_domains WHERE proof = 'dns' AND checked < now() - interval '1 day'
       ORDER BY checked LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING ${COLUMNS}`,
    [limit],
  );
  return rows;
}

/** Stores what a lookup found. A domain that DNS proved is lost from the first lookup that does not find the record. */
export async function saveFinding(sql: Sql, { accountId, id }: Place, finding: Finding): Promise<DomainRow> {
  const [rows] = await sql.query<[DomainRow[], number]>(
    `UPDATE account_domains SET finding = $2, lost = CASE
       WHEN $2 = 'found' OR proof <> 'dns' THEN NULL
       WHEN $2 = 'unreachable' THEN lost
       ELSE COALESCE(lost, now()) END
     WHERE account_id = $3 AND id = $1 RETURNING ${COLUMNS}`,
    [id, finding, accountId],
  );
  return rows[0] as DomainRow;
}

/** Stores that a domain is verified, and by what. */
export async function saveProof(
  sql: Sql,
  { accountId, id }: Place,
  { proof, by }: { proof: DomainRow['proof']; by: string },
): Promise<DomainRow> {
  const [rows] = await sql.query<[DomainRow[], number]>(
    `UPDATE account_domains SET verified = now(), proof = $2, verified_by = $3, lost = NULL WHERE account_id = $4 AND id = $1 RETURNING ${COLUMNS}`,
    [id, proof, by, accountId],
  );
  return rows[0] as DomainRow;
}

/** Deletes a domain of an account. */
export async function deleteDomain(sql: Sql, { accountId, id }: Place): Promise<void> {
  await sql.query('DELETE FROM account_domains WHERE account_id = $1 AND id = $2', [accountId, id]);
}
