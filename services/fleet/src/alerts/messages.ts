import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AlertKind,
  AlertSeverity,
  AlertState,
  type AlertRuleContent,
  type AlertRuleSchema,
  type AlertSchema,
  type AlertSilenceSchema,
} from '@warren/proto/fleet/v1/alerts';
import type { AlertKind as KindName, AlertSeverity as SeverityName } from '@warren/rules/alerts';
import type { ListedAlert } from './records/alerts.sql.ts';
import type { ListedRule } from './records/rules.sql.ts';
import type { ListedSilence } from './records/silences.sql.ts';

const KINDS: Record<KindName, AlertKind> = {
  offline: AlertKind.OFFLINE,
  never_connected: AlertKind.NEVER_CONNECTED,
  condition: AlertKind.CONDITION,
  metric: AlertKind.METRIC,
  disk_full: AlertKind.DISK_FULL,
  flapping: AlertKind.FLAPPING,
  update_failed: AlertKind.UPDATE_FAILED,
  job_failed: AlertKind.JOB_FAILED,
};

const SEVERITIES: Record<SeverityName, AlertSeverity> = {
  critical: AlertSeverity.CRITICAL,
  warning: AlertSeverity.WARNING,
  info: AlertSeverity.INFO,
};

const STATES = { open: AlertState.OPEN, closed: AlertState.CLOSED };

const nameOf = <T extends string>(names: Record<T, number>, value: number): T | undefined =>
  (Object.keys(names) as T[]).find((name) => names[name] === value);

const kindOf = (kind: AlertKind) => nameOf(KINDS, kind);
export const severityOf = (severity: AlertSeverity) => nameOf(SEVERITIES, severity);
export const stateOf = (state: AlertState) => nameOf(STATES, state);

export function alertMessage(row: ListedAlert): MessageInitShape<typeof AlertSchema> {
  const { closed_at: closedAt, acknowledged_at: at, acknowledged_by: by, note, value } = row;
  return {
    id: row.id,
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    kind: KINDS[row.kind],
    severity: SEVERITIES[row.severity],
    accountId: row.account_id,
    accountName: row.account_name,
    deviceId: row.device_id,
    deviceName: row.device_name,
    detail: row.detail,
    state: STATES[row.state],
    openedAt: timestampFromDate(row.opened_at),
    silenced: row.silenced,
    ...(value !== null && { value }),
    ...(closedAt && { closedAt: timestampFromDate(closedAt) }),
    ...(at && { acknowledged: { at: timestampFromDate(at), by: by ?? '', note: note ?? '' } }),
  };
}

export function ruleMessage(row: ListedRule): MessageInitShape<typeof AlertRuleSchema> {
  const { id, accountId, accountName, name, filter, condition, minutes, days, times, enabled, openAlerts } = row;
  return {
    id,
    name,
    filter,
    condition,
    minutes,
    days,
    times,
    enabled,
    accountId,
    accountName,
    kind: KINDS[row.kind],
    severity: SEVERITIES[row.severity],
    preset: row.preset ?? '',
    openAlerts,
    createdAt: timestampFromDate(row.createdAt),
    updatedAt: timestampFromDate(row.updatedAt),
  };
}

/** What a request sets of a rule, under the names of its schema; without what it does not set. */
export function contentOf(rule: AlertRuleContent | undefined): Record<string, unknown> {
  if (!rule) return {};
  const { name, filter, condition, minutes, days, times, enabled } = rule;
  const fields = { name, filter, condition, minutes, days, times, enabled };
  const content = { ...fields, kind: kindOf(rule.kind), severity: severityOf(rule.severity) };
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));
}

export function silenceMessage(row: ListedSilence): MessageInitShape<typeof AlertSilenceSchema> {
  const { id, accountId, accountName, filter, reason, createdBy } = row;
  return {
    id,
    filter,
    reason,
    accountId,
    accountName,
    until: timestampFromDate(row.until),
    createdBy,
    createdAt: timestampFromDate(row.createdAt),
  };
}
