import { create } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Sql } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Caller } from '@warren/platform/rpc/caller';
import {
  GroupMappingOutcome,
  ProviderGroupsProblem,
  GroupMappingSchema,
  type GroupMapping,
  type ProviderGroups,
} from '@warren/proto/tenancy/v1/tenancy';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../accounts/account.lock.ts';
import type { Emit } from '../contract/acting.ts';
import { aboutUser } from '../events/audited.ts';
import type { UserRow } from '../users/user.row.ts';
import { lockUsers, movingUsers } from '../users/moves.sql.ts';
import { decide, type Decision } from './group.decision.ts';
import { homeOf, moveTo } from './group.mover.ts';
import { placeOf, rulesFor, saveMembership, type PlaceRow } from './group.rules.sql.ts';

type User = Pick<UserRow, 'id' | 'account_id' | 'name' | 'email'>;

/** What a provider stated about a person. */
export interface Stated {
  provider: string;
  groups: Pick<ProviderGroups, 'values' | 'problem'>;
}

const OUTCOMES: Readonly<Record<Decision['outcome'], GroupMappingOutcome>> = {
  'no-rules': GroupMappingOutcome.NO_RULES,
  kept: GroupMappingOutcome.KEPT,
  moved: GroupMappingOutcome.MOVED,
  unknown: GroupMappingOutcome.UNKNOWN,
  placed: GroupMappingOutcome.PLACED,
  role: GroupMappingOutcome.ROLE,
};

/** Moves people at their sign-in to the groups that the rules of their account say. */
@Injectable()
export class GroupAssignment {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
  ) {}

  /** Returns what a sign-in would do. */
  async preview(user: User, stated: Stated): Promise<GroupMapping> {
    const { decision, place } = await decided(this.source, user, stated);
    const home =
      decision.outcome === 'moved' && !decision.rule ? await homeOf(this.source.manager, user.account_id) : undefined;
    return mappingOf(decision, place, decision.rule?.group_name ?? home?.name);
  }

  /**
   * Makes the membership of a user equal to what the rules of the account for the provider say, with audit events. Rules of other accounts
   * and providers are not looked at.
   */
  async apply(caller: Caller, user: User, stated: Stated): Promise<GroupMapping> {
    const { decision, place } = await decided(this.source, user, stated);
    if (isDone(decision, place)) return mappingOf(decision, place);
    return this.outbox.transaction(async (manager, emit) => {
      // Rules and groups stay as they are until the end.
      await lockAccount(manager, user.account_id, 'change');
      await lockUsers(manager, user.account_id, [user.id]);
      return this.move(manager, emit, caller, user, stated);
    });
  }

  private async move(
    manager: EntityManager,
    emit: Emit,
    caller: Caller,
    user: User,
    stated: Stated,
  ): Promise<GroupMapping> {
    const { account_id: accountId, id: userId } = user;
    const { decision, place } = await decided(manager, user, stated);
    if (isDone(decision, place)) return mappingOf(decision, place);
    const { outcome, rule } = decision;
    const to = rule ? { id: rule.group_id, name: rule.group_name } : await homeOf(manager, accountId);
    if (outcome === 'moved') {
      await moveTo(manager, emit, accountId, await movingUsers(manager, accountId, [userId]), to.id);
      emit(
        auditEvent(caller, {
          action: 'user.move',
          ...aboutUser(user),
          reason: rule ? 'a group rule matches' : 'no group rule matches any more',
          before: { group: place.group_name },
          after: { group: to.name },
          details: { provider: stated.provider, ...(rule && { provider_group: rule.value }) },
        }),
      );
    }
    // After the move, which forgets the former rule.
    if (rule) await saveMembership(manager, { accountId, userId, ruleId: rule.id });
    return mappingOf(decision, place, to.name);
  }
}

async function decided(
  sql: Sql,
  { id, account_id: accountId }: User,
  { provider, groups: { values, problem } }: Stated,
): Promise<{ decision: Decision; place: PlaceRow }> {
  const [rules, place] = [await rulesFor(sql, accountId, provider), await placeOf(sql, accountId, id)];
  if (!place) throw new Fault('not_found', `user ${id}.`);
  const known = problem === ProviderGroupsProblem.UNSPECIFIED ? values : undefined;
  return { decision: decide(rules, place, known), place };
}

/** Whether nothing is to be stored: the user stays, and the same rule says so. */
function isDone({ outcome, rule }: Decision, place: PlaceRow): boolean {
  if (outcome === 'moved') return false;
  return outcome !== 'kept' || rule === undefined || rule.id === place.rule_id;
}

function mappingOf({ outcome, matched }: Decision, place: PlaceRow, to = place.group_name): GroupMapping {
  return create(GroupMappingSchema, {
    outcome: OUTCOMES[outcome],
    matched: matched.map(({ value, group_name: groupName }) => ({ value, groupName })),
    groupBefore: place.group_name,
    groupAfter: outcome === 'moved' ? to : place.group_name,
  });
}
