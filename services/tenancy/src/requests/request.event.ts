import { auditEvent, type AuditCaller, type Audited } from '@warren/platform/audit/audit.event';
import { newEvent, type Event } from '@warren/platform/events/event';
import { accessRequests } from '../telemetry/metrics.ts';
import type { ListedRequest } from './requests.sql.ts';

type RequestAction = Extract<Audited['action'], `access_request.${string}`>;
type About = Pick<
  ListedRequest,
  'id' | 'accountId' | 'userName' | 'permissions' | 'filter' | 'deviceName' | 'minutes' | 'reason'
>;

/** The event for consoles: a request is new, decided or gone. */
export function requestChanged({ id, accountId }: About, actor = ''): Event {
  return newEvent({ accountId, actor, kind: { case: 'accessRequestChanged', value: { requestId: id } } });
}

/** The audit event of a step of a request. */
export function requestAudited(
  caller: AuditCaller,
  action: RequestAction,
  request: About,
  more: Pick<Audited, 'reason' | 'grantId' | 'details'> = {},
): Event {
  const { permissions, filter, deviceName: device, minutes, reason } = request;
  accessRequests.inc({ step: action.slice('access_request.'.length) });
  return auditEvent(caller, {
    action,
    accountId: request.accountId,
    target: { kind: 'access_request', id: request.id, name: request.userName },
    ...more,
    details: { permissions, ...(device ? { device } : { filter }), minutes, asked: reason, ...more.details },
  });
}
