import type { Sql } from '@warren/platform/database/sql';
import { HOME_GROUPS } from '../groups/default-groups.ts';
import type { RoleName } from '../contract/enums.ts';

/** A rule, with the group that it leads to. */
export interface GroupRuleRow {
  id: string;
  provider: string;
  value: string;
  group_id: string;
  group_name: string;
  /** Whether SCIM provisions the group, which ends what rules may do with it. */
  provisioned: boolean;
}

/** A rule, with the number of users whom it has put into its group. */
export interface CountedRuleRow extends GroupRuleRow {
  users: number;
}

/** A group as a rule may lead to it: with the role Member, not the default one for it, and not of SCIM. */
export interface TargetRow {
  id: string;
  name: string;
  role: RoleName;
  home: boolean;
  provisioned: boolean;
}

/** Where a user is, and whether a rule put the user there. */
export interface PlaceRow {
  group_id: string;
  group_name: string;
  role: RoleName;
  home: boolean;
  provisioned: boolean;
  /** The rule; null if the user came there otherwise. */
  rule_id: string | null;
}

const IS_HOME = `(g.is_default AND g.name = '${HOME_GROUPS.Member}')`;
const IS_PROVISIONED = 'EXISTS (SELECT FROM scim_groups s WHERE s.group_id = g.id AND s.account_id = g.account_id)';
const COLUMNS = `r.id, r.provider, r.value, r.group_id, g.name AS group_name, ${IS_PROVISIONED} AS provisioned`;
const JOINS = 'FROM group_rules r JOIN groups g ON g.id = r.group_id AND g.account_id = r.account_id';

/** Lists the rules of an account in their order. */
export function rulesOf(sql: Sql, accountId: string): Promise<CountedRuleRow[]> {
  return sql.query(
    `SELECT ${COLUMNS}, (SELECT count(*)::int FROM rule_memberships m WHERE m.rule_id = r.id) AS users ${JOINS}
     WHERE r.account_id = $1 ORDER BY r.position, r.id`,
    [accountId],
  );
}

/** Tells whether an account has rules. Without any, no rule has put a user into a group. */
export async function hasRules(sql: Sql, accountId: string): Promise<boolean> {
  const rows = await sql.query<unknown[]>('SELECT FROM group_rules WHERE account_id = $1 LIMIT 1', [accountId]);
  return rows.length > 0;
}

/** Lists the rules of an account for a provider in their order. */
export function rulesFor(sql: Sql, accountId: string, provider: string): Promise<GroupRuleRow[]> {
  return sql.query(
    `SELECT ${COLUMNS} ${JOINS} WHERE r.account_id = $1 AND r.provider = $2 AND g.role = 'Member'
     ORDER BY r.position, r.id`,
    [accountId, provider],
  );
}

/** Lists the groups of an account by name. */
export function targetsOf(sql: Sql, accountId: string): Promise<TargetRow[]> {
  return sql.query(
    `SELECT g.id, g.name, g.role, ${IS_HOME} AS home, ${IS_PROVISIONED} AS provisioned FROM groups g
     WHERE g.account_id = $1 ORDER BY lower(g.name), g.id`,
    [accountId],
  );
}

/** Finds which e-mail domains an account has: those of its users, and verified ones. */
export async function emailDomainsOf(sql: Sql, accountId: string, among: readonly string[]): Promise<string[]> {
  if (among.length === 0) return [];
  const rows = await sql.query<{ name: string }[]>(
    `SELECT split_part(email, '@', 2) AS name FROM users
     WHERE account_id = $1 AND split_part(email, '@', 2) = ANY($2::text[])
     UNION SELECT name FROM account_domains
     WHERE account_id = $1 AND verified IS NOT NULL AND name = ANY($2::text[]) ORDER BY name`,
    [accountId, among],
  );
  return rows.map(({ name }) => name);
}

/** Finds where a user of an account is. */
export async function placeOf(sql: Sql, accountId: string, userId: string): Promise<PlaceRow | undefined> {
  const rows = await sql.query<PlaceRow[]>(
    `SELECT u.group_id, g.name AS group_name, g.role, ${IS_HOME} AS home, ${IS_PROVISIONED} AS provisioned, r.id AS rule_id
     FROM users u JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
       LEFT JOIN rule_memberships m ON m.user_id = u.id AND m.account_id = u.account_id
       LEFT JOIN group_rules r ON r.id = m.rule_id AND r.group_id = u.group_id
     WHERE u.account_id = $1 AND u.id = $2`,
    [accountId, userId],
  );
  return rows[0];
}

/** Notes that a rule put a user where the user is. */
export async function saveMembership(
  sql: Sql,
  { accountId, userId, ruleId }: { accountId: string; userId: string; ruleId: string },
): Promise<void> {
  await sql.query(
    `INSERT INTO rule_memberships (user_id, account_id, rule_id) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET rule_id = excluded.rule_id`,
    [userId, accountId, ruleId],
  );
}

/** Lists the users of an account whom rules put where they are. */
export async function usersOfRules(sql: Sql, accountId: string, rules: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }[]>(
    'SELECT user_id FROM rule_memberships WHERE account_id = $1 AND rule_id = ANY($2::uuid[])',
    [accountId, rules],
  );
  return rows.map(({ user_id: id }) => id);
}

export async function deleteRules(sql: Sql, accountId: string, rules: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM group_rules WHERE account_id = $1 AND id = ANY($2::uuid[])', [accountId, rules]);
}

/** Deletes the rules that lead to a group. @returns how many there were */
export async function deleteRulesTo(sql: Sql, accountId: string, groupId: string): Promise<number> {
  const [, count] = await sql.query<[unknown[], number]>(
    'DELETE FROM group_rules WHERE account_id = $1 AND group_id = $2',
    [accountId, groupId],
  );
  return count;
}

/** Inserts rules, and gives all of an account their positions. */
export async function saveRules(
  sql: Sql,
  accountId: string,
  rules: readonly Pick<GroupRuleRow, 'id' | 'provider' | 'value' | 'group_id'>[],
  createdBy: string,
): Promise<void> {
  await sql.query(
    `INSERT INTO group_rules (id, account_id, position, provider, value, group_id, created_by)
     SELECT r.id, $1, r.position, r.provider, r.value, r.group_id, $6
     FROM unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) WITH ORDINALITY r (id, provider, value, group_id, position)
     ON CONFLICT (id) DO UPDATE SET position = excluded.position`,
    [
      accountId,
      rules.map(({ id }) => id),
      rules.map(({ provider }) => provider),
      rules.map(({ value }) => value),
      rules.map((rule) => rule.group_id),
      createdBy,
    ],
  );
}
