import { systemActor, type AuditActorInit } from '@warren/platform/audit/audit.actor';
import { auditEvent } from '@warren/platform/audit/audit.event';
import type { Event } from '@warren/platform/events/event';
import { serviceCaller, type Caller } from '@warren/platform/rpc/caller';
import type { BulkJobEntity } from './bulk.job.entity.ts';
import type { BulkCounts } from './bulk.row.ts';

type AuditedJob = Omit<BulkJobEntity, 'state' | 'cancelledBy' | 'created' | 'finished'>;

/** The audit event for a job that a person started or cancelled: of the account of the person who started it. */
export function bulkJobAudited(
  caller: Caller,
  { job, counts, what }: { job: AuditedJob; counts: BulkCounts; what: 'start' | 'cancel' },
): Event {
  return auditEvent(caller, { action: `bulk_job.${what}`, ...aboutJob(job, counts) });
}

/** The audit event for a job that is done. */
export function bulkJobFinished(job: AuditedJob, counts: BulkCounts): Event {
  const actor: AuditActorInit = { ...systemActor('devices'), onBehalfOf: job.userId };
  return auditEvent(serviceCaller('devices', job.id), { action: 'bulk_job.finish', actor, ...aboutJob(job, counts) });
}

function aboutJob(job: AuditedJob, counts: BulkCounts) {
  const devices = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const { filter, targetAccountName: to } = job;
  const selected = filter === null ? {} : { filter, filter_account: job.filterAccountName || 'all accounts' };
  return {
    accountId: job.accountId,
    target: { kind: 'bulk_job', id: job.id, name: job.action.replaceAll('_', ' ') },
    details: { ...counts, devices, ...selected, ...(to && { to_account: to }) },
  } as const;
}
