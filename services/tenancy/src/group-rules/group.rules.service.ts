import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Sql } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { ListGroupRulesResponseSchema, NewGroupRule } from '@warren/proto/tenancy/v1/group_rules';
import { createHash } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { lockAccount } from '../accounts/account.lock.ts';
import type { Emit } from '../contract/acting.ts';
import { lockUsers, movingUsers } from '../users/moves.sql.ts';
import { changeOf, checkedRules, requireDomains, type RuleChange } from './group.rule.change.ts';
import { homeOf, moveTo } from './group.mover.ts';
import {
  deleteRules,
  emailDomainsOf,
  rulesOf,
  saveRules,
  targetsOf,
  usersOfRules,
  type CountedRuleRow,
  type GroupRuleRow,
} from './group.rules.sql.ts';

type Answer = MessageInitShape<typeof ListGroupRulesResponseSchema>;

interface Setting {
  manager: EntityManager;
  emit: Emit;
  caller: Caller;
  accountId: string;
}

/** The rules by which groups of identity providers map to groups of an account. */
@Injectable()
export class GroupRulesService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** Lists the rules of an account, and what rules may name. @throws Fault `not_found`, `permission_denied` */
  async list(
    caller: Caller,
    { accountId, domains }: { accountId: string; domains: readonly string[] },
  ): Promise<Answer> {
    requireMay(caller, 'group-rules.manage', accountId);
    if (!isUuid(accountId)) throw new Fault('not_found', `account ${accountId.slice(0, 64)}.`);
    requireDomains(domains);
    return answer(this.source, accountId, domains);
  }

  /**
   * Replaces the rules of an account. Rules that stay keep the users whom they put into groups; the users of those that are gone move to
   * the default group, and the next sign-in of each decides again.
   * @throws Fault `permission_denied`, `not_found`, `invalid_argument` that names the rule; `failed_precondition` if the rules are no longer
   *   those of `version`
   */
  async set(
    caller: Caller,
    {
      accountId,
      rules,
      version,
      domains,
    }: {
      accountId: string;
      rules: readonly Omit<NewGroupRule, '$typeName'>[];
      version: string;
      domains: readonly string[];
    },
  ): Promise<Answer> {
    const { email } = requireMay(caller, 'group-rules.manage', accountId);
    const wanted = checkedRules(rules);
    requireDomains(domains);
    return this.outbox.transaction(async (manager, emit) => {
      await lockAccount(manager, accountId, 'change');
      const current = await rulesOf(manager, accountId);
      if (version !== '' && version !== versionOf(current))
        throw new Fault('failed_precondition', 'the rules have changed meanwhile; read them again.');
      const change = changeOf(current, wanted, await targetsOf(manager, accountId));
      const setting = { manager, emit, caller, accountId };
      await remove(setting, change.removed);
      await saveRules(manager, accountId, change.rules, email);
      for (const rule of change.added) emit(ruleAudited(setting, 'group_rule.create', rule));
      if (change.isReordered) emit(reordered(setting, change));
      return answer(manager, accountId, domains);
    });
  }
}

async function remove(setting: Setting, removed: readonly CountedRuleRow[]): Promise<void> {
  if (removed.length === 0) return;
  const { manager, emit, accountId } = setting;
  const home = await homeOf(manager, accountId);
  for (const rule of removed) {
    // A group that SCIM took over keeps its users.
    const users = rule.provisioned ? [] : await usersOfRules(manager, accountId, [rule.id]);
    await lockUsers(manager, accountId, users);
    const rows = (await movingUsers(manager, accountId, users)).filter((row) => row.group_id === rule.group_id);
    await moveTo(manager, emit, accountId, rows, home.id);
    const details = { moved_users: rows.length, moved_to: home.name };
    emit(ruleAudited(setting, 'group_rule.delete', rule, details));
  }
  await deleteRules(
    manager,
    accountId,
    removed.map(({ id }) => id),
  );
}

function ruleAudited(
  { caller, accountId }: Setting,
  action: 'group_rule.create' | 'group_rule.delete',
  { provider, value, group_id: id, group_name: name }: GroupRuleRow,
  more: Record<string, unknown> = {},
) {
  const details = { provider, provider_group: value, ...more };
  return auditEvent(caller, { action, accountId, target: { kind: 'group', id, name }, details });
}

function reordered({ caller, accountId }: Setting, { rules }: RuleChange) {
  // Details are bounded; the first rules are those that decide most.
  const order = rules.slice(0, 10).map(({ provider, value, group_name: group }) => `${provider}: ${value} → ${group}`);
  const target = { kind: 'account', id: accountId } as const;
  return auditEvent(caller, { action: 'group_rule.reorder', accountId, target, details: { order } });
}

async function answer(sql: Sql, accountId: string, domains: readonly string[]): Promise<Answer> {
  const rules = await rulesOf(sql, accountId);
  const groups = await targetsOf(sql, accountId);
  return {
    rules: rules.map(({ id, provider, value, group_id: groupId, group_name: groupName, users, provisioned }) => ({
      id,
      provider,
      value,
      groupId,
      groupName,
      users,
      provisioned,
    })),
    version: versionOf(rules),
    groups: groups
      .filter(({ role, home, provisioned }) => role === 'Member' && !home && !provisioned)
      .map(({ id, name }) => ({ id, name })),
    domains: await emailDomainsOf(sql, accountId, domains),
    homeProvisioned: groups.some(({ home, provisioned }) => home && provisioned),
  };
}

/** Identifies rules in their order. */
function versionOf(rules: readonly GroupRuleRow[]): string {
  const text = rules.map(({ id }) => id).join(' ');
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
