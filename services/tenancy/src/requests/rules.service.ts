import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay } from '@warren/platform/policy/policy';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { RecentSignInSchema } from '@warren/proto/common/v1/common';
import { AccessRulesSchema, type AccessRules, type AccessRulesResponseSchema } from '@warren/proto/tenancy/v1/requests';
import { recentMinutes, requestMinutes } from '@warren/rules/access-requests';
import { terminalPinDays } from '@warren/rules/terminals';
import { isDeepStrictEqual } from 'node:util';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { accessChanged } from '../access/access.event.ts';
import { lockSubject } from '../access/access.sql.ts';
import { lockAccount } from '../accounts/account.lock.ts';
import { check, invalid } from '../contract/check.ts';
import { aboutAccount } from '../events/audited.ts';
import { accountChanged } from '../events/tenancy.event.ts';
import { rulesMessage } from './request.messages.ts';
import {
  readTerminalRules,
  rulesOf,
  storeRules,
  type AccessRulesRow,
  type ListedRules,
  type TerminalRules,
} from './rules.sql.ts';

type Answer = MessageInitShape<typeof AccessRulesResponseSchema>;

/** The rules of accounts about access requests, recent sign-ins, guest links and terminals. */
@Injectable()
export class AccessRulesService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** @throws Fault `not_found`, `permission_denied` */
  async get(caller: Caller, { accountId }: { accountId: string }): Promise<Answer> {
    requireMay(caller, 'accounts.read', accountId);
    return this.source.transaction(async (manager) => {
      await lockAccount(manager, accountId, 'keep');
      return { rules: rulesMessage(await rulesOf(manager, accountId)) };
    });
  }

  /** Tunnels only. @throws Fault `not_found` */
  async terminals(caller: Caller, { accountId }: { accountId: string }): Promise<TerminalRules> {
    requireService(caller, 'tunnels');
    const rules = isUuid(accountId) ? await readTerminalRules(this.source, accountId) : undefined;
    if (!rules) throw new Fault('not_found', `account ${accountId}.`);
    return rules;
  }

  /** Replaces the rules of an account. @throws Fault as {@link get}; `invalid_argument` */
  async set(caller: Caller, { accountId, rules }: { accountId: string; rules?: AccessRules }): Promise<Answer> {
    const actor = requireMay(caller, 'grants.manage', accountId);
    const checked = checkedRules(rules);
    return this.outbox.transaction(async (manager, emit) => {
      const account = await lockAccount(manager, accountId, 'change');
      const before = await rulesOf(manager, accountId);
      const guest_links = rules?.guestLinks ?? before.guest_links;
      const terminal_pin_days = pinDays(rules) ?? before.terminal_pin_days;
      const observe_terminals = rules?.observeTerminals ?? before.observe_terminals;
      const approver_group_name = await groupName(manager, accountId, checked);
      const after = { ...checked, guest_links, terminal_pin_days, observe_terminals, approver_group_name };
      if (isDeepStrictEqual(before, after)) return { rules: rulesMessage(after) };
      await storeRules(manager, accountId, after);
      emit(accessChanged(accountId, actor.userId));
      // Consoles of all its people show or hide the requests and guest links.
      if (before.requests !== after.requests || before.guest_links !== guest_links) emit(accountChanged(account));
      const changes = { before: audited(before), after: audited(after) };
      emit(auditEvent(caller, { action: 'account.set_access_rules', ...aboutAccount(account), ...changes }));
      return { rules: rulesMessage(after) };
    });
  }
}

function pinDays(rules: AccessRules | undefined): number | undefined {
  const days = rules?.terminalPinDays;
  return days === undefined ? undefined : check('terminal_pin_days', terminalPinDays, days);
}

type Kept = 'guest_links' | 'terminal_pin_days' | 'observe_terminals';

/** What a request always says. */
function checkedRules(given: AccessRules | undefined): Omit<AccessRulesRow, Kept> {
  const rules = given ?? create(AccessRulesSchema);
  const recent = rules.recentSignIn ?? create(RecentSignInSchema);
  return {
    requests: rules.requests,
    longest_minutes: check('longest_minutes', requestMinutes, rules.longestMinutes),
    approver_group: rules.approverGroupId || null,
    second_approver: rules.secondApprover,
    recent_minutes: check('recent_sign_in.minutes', recentMinutes, recent.minutes),
    recent_terminals: recent.terminals,
    recent_manage: recent.manage,
    recent_grants: recent.grants,
  };
}

/** @throws Fault `invalid_argument` for a group of another account */
async function groupName(
  manager: EntityManager,
  accountId: string,
  { approver_group: id }: Pick<AccessRulesRow, 'approver_group'>,
): Promise<string> {
  if (id === null) return '';
  const found = isUuid(id) ? await lockSubject(manager, 'group', { id, accountId }) : undefined;
  if (!found) throw invalid('approver_group', 'expected a group of the account.', id);
  return found.name;
}

function audited({ approver_group: _id, approver_group_name: approvers, ...rules }: ListedRules) {
  return { ...rules, approvers: approvers || 'Owner and Admins' };
}
