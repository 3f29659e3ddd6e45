import { ALERT_SEVERITIES, type AlertSeverity } from '@warren/rules/alerts';
import { v7 as uuidv7 } from 'uuid';
import type { Group } from '../formats/content.ts';
import { MOST_GROUP_S, type AlertChange, type Pending, type Receiver } from './collector.sql.ts';

/** How long changes of one rule and kind are joined after the last one: half as long again as from one pass over the alerts to the next. */
const GROUP_MS = 45_000;
const MINUTE_MS = 60_000;
const IDS = 50;
const EXAMPLES = 10;
/** Without escalation there is one slot. */
const ONE_SLOT = new Date(0);

/** From the worst on. */
const rank = (severity: AlertSeverity) => ALERT_SEVERITIES.indexOf(severity);

/** Pending changes of each channel, joined by rule, kind and slot. */
export function pendingOf(changes: readonly AlertChange[], receivers: readonly Receiver[]): Pending[] {
  const pending = new Map<string, Pending>();
  for (const change of changes)
    for (const receiver of receivers) {
      if (receiver.accountId !== change.account_id || !isFor(change, receiver)) continue;
      const slot = slotOf(change, receiver);
      const key = [receiver.id, change.rule_id, change.kind, slot.getTime()].join();
      const known = pending.get(key);
      pending.set(key, known ? joined(known, change) : newPending(change, receiver, slot));
    }
  return [...pending.values()];
}

function isFor({ kind, severity }: AlertChange, { minSeverity, recovery }: Receiver): boolean {
  return rank(severity) <= rank(minSeverity) && (kind === 'opened' || recovery);
}

/** With escalation, changes of one minute fall due together. */
function slotOf({ kind, created_at }: AlertChange, { afterMinutes }: Receiver): Date {
  if (kind === 'closed' || afterMinutes === 0) return ONE_SLOT;
  return new Date(Math.floor(created_at.getTime() / MINUTE_MS) * MINUTE_MS);
}

function newPending({ account_id: _account, ...change }: AlertChange, receiver: Receiver, slot: Date): Pending {
  const escalated = change.kind === 'opened' && receiver.afterMinutes > 0;
  const due_at = escalated
    ? new Date(slot.getTime() + (receiver.afterMinutes + 1) * MINUTE_MS)
    : new Date(change.created_at.getTime() + GROUP_MS);
  return { ...change, id: uuidv7(), channel_id: receiver.id, slot, due_at, held: null };
}

function joined(known: Pending, { count, alert_ids, examples, rule_name, severity, created_at }: AlertChange): Pending {
  const end = Math.min(created_at.getTime() + GROUP_MS, known.created_at.getTime() + MOST_GROUP_S * 1_000);
  return {
    ...known,
    due_at: new Date(Math.max(known.due_at.getTime(), end)),
    rule_name,
    severity,
    count: known.count + count,
    alert_ids: [...known.alert_ids, ...alert_ids].slice(0, IDS),
    examples: [...known.examples, ...examples].slice(0, EXAMPLES),
  };
}

/** Groups of a message: rows of one rule and kind are one. */
export function groupsOf(rows: readonly Pending[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const key = `${row.rule_id} ${row.kind}`;
    const known = groups.get(key);
    groups.set(key, {
      ruleId: row.rule_id,
      ruleName: row.rule_name,
      kind: row.kind,
      severity: row.severity,
      count: (known?.count ?? 0) + row.count,
      examples: [...(known?.examples ?? []), ...row.examples].slice(0, EXAMPLES),
      since: known?.since ?? row.created_at.toISOString(),
    });
  }
  return [...groups.values()];
}
