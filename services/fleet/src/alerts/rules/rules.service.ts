import type { MessageInitShape } from '@bufbuild/protobuf';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import { requireMay, sightOf } from '@warren/platform/policy/policy';
import type { Caller } from '@warren/platform/rpc/caller';
import type { AuditAction } from '@warren/rules/audit';
import type { AlertRuleContent as Content, AlertRuleSchema } from '@warren/proto/fleet/v1/alerts';
import { ALERT_KIND_FIELDS, ALERT_LIMITS, alertRuleSchema, type AlertRuleContent } from '@warren/rules/alerts';
import { DataSource, type EntityManager } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { AlertAccounts } from '../accounts/alert.accounts.ts';
import { AlertSight } from '../list/alert.sight.ts';
import { check } from '../check.ts';
import { deedEvents } from '../events.ts';
import { contentOf, ruleMessage } from '../messages.ts';
import { writeChanges } from '../records/changes.sql.ts';
import { closeAlerts } from '../records/settle.sql.ts';
import { SavedFilters } from '../saved/saved.filters.ts';
import { scopeOf } from '../scope.ts';
import { AlertRuleEntity } from '../records/rule.entity.ts';
import { listRules, lockRules, readRule, renewAlerts, type ListedRule, type RuleKey } from '../records/rules.sql.ts';

/** Rules in an answer, of all accounts. */
const MOST_LISTED = 2_000;

type Answer = { rule: MessageInitShape<typeof AlertRuleSchema> };

/** The rules of alerts (policy `alerts.manage`; reading: `devices.read`). */
@Injectable()
export class AlertRulesService {
  constructor(
    private readonly source: DataSource,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly accounts: AlertAccounts,
    private readonly sight: AlertSight,
    private readonly saved: SavedFilters,
  ) {}

  /** By account, oldest first. @throws Fault `not_found` for an account out of sight */
  async list(caller: Caller, request: { accountId: string }): Promise<{ rules: Answer['rule'][] }> {
    const scope = scopeOf(caller, request.accountId);
    const deviceIds = await this.sight.devicesIn(scope, { state: 'open' });
    const rows = await listRules(this.source, { accountId: scope.accountId, deviceIds, limit: MOST_LISTED });
    return { rules: rows.map(ruleMessage) };
  }

  /** @throws Fault `not_found`, `permission_denied`, `invalid_argument`, `failed_precondition` when there are too many */
  async create(
    caller: Caller,
    { accountId, rule }: { accountId: string; rule?: Content | undefined },
  ): Promise<Answer> {
    requireMay(caller, 'alerts.manage', accountId);
    const content = check('', alertRuleSchema, contentOf(rule));
    await this.accounts.nameOf(accountId);
    return this.outbox.transaction(async (manager, emit) => {
      await requireRoom(manager, accountId);
      await this.saved.require(accountId, content.filter);
      const row = { id: uuidv7(), accountId };
      await manager.insert(AlertRuleEntity, { ...row, ...content });
      for (const event of ruleEvents(caller, 'alert_rule.create', row, { after: content })) emit(event);
      return { rule: ruleMessage(await shown(manager, row)) };
    });
  }

  /**
   * Changes what is set. Alerts that no longer hold are closed by the next pass, and at once if the rule is disabled.
   * @throws Fault `not_found`, `permission_denied`, `invalid_argument`, `failed_precondition` for the kind of a default rule; `unavailable`
   *   while a saved filter that it names is changed
   */
  async update(caller: Caller, { id, rule }: { id: string; rule?: Content | undefined }): Promise<Answer> {
    return this.outbox.transaction(async (manager, emit) => {
      const row = await hold(manager, caller, id);
      const before = settingsOf(row);
      const content = check('', alertRuleSchema, { ...before, ...contentOf(rule) });
      if (row.preset !== null && content.kind !== row.kind)
        throw new Fault('failed_precondition', 'the kind of a default rule stays: add a rule instead.');
      if (content.filter !== row.filter) {
        await lockRules(manager, row.accountId);
        await this.saved.require(row.accountId, content.filter);
      }
      const { accountId } = row;
      const edit = { ...content, revision: row.revision + 1, updatedAt: () => 'now()' };
      await manager.update(AlertRuleEntity, { id, accountId }, edit);
      await renewAlerts(manager, row, content);
      if (!content.enabled) await closeAll(manager, row);
      for (const event of ruleEvents(caller, 'alert_rule.change', row, { before, after: content })) emit(event);
      return { rule: ruleMessage(await shown(manager, row)) };
    });
  }

  /** Closes its alerts. @throws Fault `not_found`, `permission_denied`, `failed_precondition` for a default rule */
  async delete(caller: Caller, { id }: { id: string }): Promise<Record<string, never>> {
    await this.outbox.transaction(async (manager, emit) => {
      const row = await hold(manager, caller, id);
      if (row.preset !== null) throw new Fault('failed_precondition', 'a default rule can be disabled, not deleted.');
      await closeAll(manager, row);
      await manager.delete(AlertRuleEntity, { id, accountId: row.accountId });
      for (const event of ruleEvents(caller, 'alert_rule.delete', row, { before: settingsOf(row) })) emit(event);
    });
    return {};
  }
}

type AlertRuleSettings = ReturnType<typeof settingsOf>;

/** What a person may set of a rule, as it is: without what its kind does not have. */
function settingsOf({ name, kind, filter, condition, minutes, days, times, severity, enabled }: AlertRuleEntity) {
  const has = ALERT_KIND_FIELDS[kind];
  return {
    name,
    kind,
    filter,
    condition,
    severity,
    enabled,
    ...(has.minutes !== undefined && { minutes }),
    ...(has.days !== undefined && { days }),
    ...(has.times !== undefined && { times }),
  };
}

/** Locks a rule that the caller may change. */
async function hold(manager: EntityManager, caller: Caller, id: string): Promise<AlertRuleEntity> {
  const accountId = sightOf(caller);
  const where = accountId === undefined ? { id } : { id, accountId };
  const lock = { mode: 'pessimistic_write' } as const;
  const row = isUuid(id) ? await manager.findOne(AlertRuleEntity, { where, lock }) : null;
  if (!row) throw new Fault('not_found', `alert rule ${id}.`);
  requireMay(caller, 'alerts.manage', row.accountId, `alert rule ${id}`);
  return row;
}

async function closeAll(manager: EntityManager, row: RuleKey): Promise<void> {
  await writeChanges(manager, 'closed', await closeAlerts(manager, row, { now: new Date() }));
}

/** Holds for simultaneous requests too. */
async function requireRoom(manager: EntityManager, accountId: string): Promise<void> {
  await lockRules(manager, accountId);
  if ((await manager.countBy(AlertRuleEntity, { accountId })) >= ALERT_LIMITS.rules)
    throw new Fault('failed_precondition', `there are ${ALERT_LIMITS.rules} rules: delete one first.`);
}

async function shown(manager: EntityManager, row: RuleKey): Promise<ListedRule> {
  const listed = await readRule(manager, row);
  if (!listed) throw new Fault('not_found', `alert rule ${row.id}.`);
  return listed;
}

function ruleEvents(
  caller: Caller,
  action: AuditAction,
  { id, accountId }: RuleKey,
  states: { before?: AlertRuleSettings; after?: AlertRuleContent },
): Event[] {
  const target = { kind: 'alert_rule', id, name: (states.after ?? states.before)?.name ?? '' } as const;
  return deedEvents(caller, { kind: 'alertRuleChanged', action, accountId, target, ...states });
}
