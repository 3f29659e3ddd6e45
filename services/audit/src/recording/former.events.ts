import { create } from '@bufbuild/protobuf';
import { plainText } from '@warren/platform/audit/plain';
import { followingId } from '@warren/platform/events/event.id';
import type { Event, EventKind } from '@warren/platform/events/event';
import { AuditActorKind, AuditEventSchema, AuditOutcome, type AuditEvent } from '@warren/proto/audit/v1/audit';
import type { AuditAction, AuditTargetKind } from '@warren/rules/audit';

/** Kinds of events that services of 0.1 publish in place of audit events. */
const FORMER_KINDS = [
  'updateWindowChanged',
  'savedFilterChanged',
  'bulkJobChanged',
  'channelChanged',
  'alertRuleChanged',
  'alertsAcknowledged',
  'alertSilenceChanged',
  'quotasChanged',
] as const satisfies readonly EventKind[];
type FormerKind = (typeof FORMER_KINDS)[number];

/** What a former kind of event, or the row that identity made of it, is in the trail. */
const MEANINGS: Readonly<Record<FormerKind, { action: AuditAction; target: AuditTargetKind; row: string }>> = {
  updateWindowChanged: { action: 'update_window.change', target: 'update_window', row: 'update_window_changed' },
  savedFilterChanged: { action: 'filter.change', target: 'filter', row: 'saved_filter_changed' },
  bulkJobChanged: { action: 'bulk_job.start', target: 'bulk_job', row: 'bulk_job_changed' },
  channelChanged: { action: 'channel.change', target: 'channel', row: 'channel_changed' },
  alertRuleChanged: { action: 'alert_rule.change', target: 'alert_rule', row: 'alert_rule_changed' },
  alertsAcknowledged: { action: 'alert.acknowledge', target: 'alert', row: 'alerts_acknowledged' },
  alertSilenceChanged: { action: 'alert_silence.create', target: 'alert_silence', row: 'alert_silence_changed' },
  quotasChanged: { action: 'account.set_quotas', target: 'account_quotas', row: 'quotas_changed' },
};

const isFormer = (kind: EventKind | undefined): kind is FormerKind => FORMER_KINDS.some((former) => former === kind);

/** The audit event of an event of 0.1, under the id that the row of an older identity gets too; undefined for other events. */
export function auditOfFormer({ id, actor, audited, kind }: Event): { id: string; event: AuditEvent } | undefined {
  if (audited || !isFormer(kind.case)) return undefined;
  const value = kind.value as { by: string; change?: string; window?: string; jobId?: string; accountId?: string };
  const text = value.change ?? value.window ?? '';
  const target = value.jobId ?? value.accountId ?? '';
  return { id: followingId(id, 'audit'), event: formerEvent(kind.case, { actor, by: value.by, text, target }) };
}

/** Rows of identity with these actions were made of an event that the audit service knows under another id. */
export function kindOfRow(action: string): FormerKind | undefined {
  return FORMER_KINDS.find((kind) => MEANINGS[kind].row === action);
}

interface Former {
  actor: string;
  by: string;
  text: string;
  target: string;
}

/** The text says what exactly was done. */
export function formerEvent(kind: FormerKind, { actor, by, text, target }: Former): AuditEvent {
  const { action, target: targetKind } = MEANINGS[kind];
  return create(AuditEventSchema, {
    action: kind === 'bulkJobChanged' ? bulkAction(text) : action,
    actor: { kind: AuditActorKind.USER, id: actor, email: plainText(by) },
    target: { kind: targetKind, id: target },
    outcome: AuditOutcome.SUCCESS,
    details: JSON.stringify({ change: plainText(text) }),
  });
}

function bulkAction(text: string): AuditAction {
  if (/cancelled/.test(text)) return 'bulk_job.cancel';
  return /finished/.test(text) ? 'bulk_job.finish' : 'bulk_job.start';
}
