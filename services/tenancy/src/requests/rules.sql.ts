import type { Sql } from '@warren/platform/database/sql';
import { DEFAULT_ACCESS_RULES } from '@warren/rules/access-requests';
import type { EntityManager } from 'typeorm';

/** The rules of an account about access requests and recent sign-ins. Times in minutes. */
export interface AccessRulesRow {
  requests: boolean;
  longest_minutes: number;
  /** Null: Owner and Admins decide. */
  approver_group: string | null;
  second_approver: boolean;
  recent_minutes: number;
  recent_terminals: boolean;
  recent_manage: boolean;
  recent_grants: boolean;
  /** People of the account may make guest links. */
  guest_links: boolean;
  /** Days that a detached terminal of the account's devices may be pinned; 0: not at all. */
  terminal_pin_days: number;
  /** Owner and Admins may observe terminals without their owners' consent. */
  observe_terminals: boolean;
}

/** With the name of the group of approvers; empty without one. */
export type ListedRules = AccessRulesRow & { approver_group_name: string };

const COLUMNS = `r.requests, r.longest_minutes, r.approver_group, r.second_approver, r.recent_minutes, r.recent_terminals,
  r.recent_manage, r.recent_grants, r.guest_links, r.terminal_pin_days, r.observe_terminals`;

/** The rules of `accounts a` as JSON of {@link AccessRulesRow}; null if it has set none. */
export const RULES_OF_ACCOUNT = `(SELECT to_jsonb(r) FROM access_rules r WHERE r.account_id = a.id)`;

const { recentSignIn } = DEFAULT_ACCESS_RULES;
export const DEFAULT_RULES: ListedRules = {
  requests: DEFAULT_ACCESS_RULES.requests,
  longest_minutes: DEFAULT_ACCESS_RULES.longestMinutes,
  approver_group: null,
  approver_group_name: '',
  second_approver: DEFAULT_ACCESS_RULES.secondApprover,
  recent_minutes: recentSignIn.minutes,
  recent_terminals: recentSignIn.terminals,
  recent_manage: recentSignIn.manage,
  recent_grants: recentSignIn.grants,
  guest_links: DEFAULT_ACCESS_RULES.guestLinks,
  terminal_pin_days: DEFAULT_ACCESS_RULES.terminalPinDays,
  observe_terminals: DEFAULT_ACCESS_RULES.observeTerminals,
};

/** Reads the rules of an account. */
export async function rulesOf(sql: Sql, accountId: string): Promise<ListedRules> {
  const [row] = await sql.query<ListedRules[]>(
    `SELECT ${COLUMNS}, COALESCE(g.name, '') AS approver_group_name
     FROM access_rules r LEFT JOIN groups g ON g.id = r.approver_group WHERE r.account_id = $1`,
    [accountId],
  );
  return row ?? DEFAULT_RULES;
}

/** What an account allows with terminals of its devices. */
export interface TerminalRules {
  pinDays: number;
  observe: boolean;
}

/** Reads what an account allows with terminals of its devices; undefined for an unknown account. */
export async function readTerminalRules(sql: Sql, accountId: string): Promise<TerminalRules | undefined> {
  const [row] = await sql.query<{ days: number | null; observe: boolean | null }[]>(
    `SELECT r.terminal_pin_days AS days, r.observe_terminals AS observe
     FROM accounts a LEFT JOIN access_rules r ON r.account_id = a.id WHERE a.id = $1`,
    [accountId],
  );
  if (!row) return undefined;
  const { days, observe } = row;
  return {
    pinDays: days ?? DEFAULT_RULES.terminal_pin_days,
    observe: observe ?? DEFAULT_RULES.observe_terminals,
  };
}

/** Stores the rules of an account. */
export async function storeRules(manager: EntityManager, accountId: string, rules: AccessRulesRow): Promise<void> {
  await manager.query(
    `INSERT INTO access_rules (account_id, requests, longest_minutes, approver_group, second_approver, recent_minutes,
       recent_terminals, recent_manage, recent_grants, guest_links, terminal_pin_days, observe_terminals)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     ON CONFLICT (account_id) DO UPDATE SET requests = excluded.requests, longest_minutes = excluded.longest_minutes,
       approver_group = excluded.approver_group, second_approver = excluded.second_approver,
       recent_minutes = excluded.recent_minutes, recent_terminals = excluded.recent_terminals,
       recent_manage = excluded.recent_manage, recent_grants = excluded.recent_grants,
       guest_links = excluded.guest_links, terminal_pin_days = excluded.terminal_pin_days,
       observe_terminals = excluded.observe_terminals`,
    [
      accountId,
      rules.requests,
      rules.longest_minutes,
      rules.approver_group,
      rules.second_approver,
      rules.recent_minutes,
      rules.recent_terminals,
      rules.recent_manage,
      rules.recent_grants,
      rules.guest_links,
      rules.terminal_pin_days,
      rules.observe_terminals,
    ],
  );
}

/** Active users `u` in groups `g` who decide about requests of the account `$1`; `$2` is its group of approvers or null. */
export const APPROVERS = `
  FROM users u JOIN groups g ON g.id = u.group_id AND g.account_id = u.account_id
  WHERE u.account_id = $1 AND u.status = 'Active'
    AND CASE WHEN $2::uuid IS NULL THEN g.role IN ('SuperAdmin', 'Owner', 'Admin') ELSE g.id = $2 END`;

/** Tells which of some users decide about requests of an account now. */
export async function approversAmong(
  sql: Sql,
  { accountId, rules, userIds }: { accountId: string; rules: AccessRulesRow; userIds: readonly string[] },
): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }[]>(`SELECT u.id ${APPROVERS} AND u.id = ANY($3::uuid[])`, [
    accountId,
    rules.approver_group,
    userIds,
  ]);
  return new Set(rows.map(({ id }) => id));
}
