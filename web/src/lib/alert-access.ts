import type { Session } from './api/types.ts';

type Action = 'alerts.acknowledge' | 'alerts.manage' | 'audit.manage' | 'channels.manage';

/** In any account for SuperAdmins, in the own one for its owner and admins: as the hub's policy says. */
const may = (action: Action) => (session: Session, account: string) =>
  (session.permissions as readonly string[]).includes(action) &&
  (session.group?.role === 'SuperAdmin' || account === session.account);

export const mayAcknowledge = may('alerts.acknowledge');
/** Change rules and silences. */
export const mayManageAlerts = may('alerts.manage');
/** See and change channels, and see what was sent to them. */
export const mayManageChannels = may('channels.manage');
/** Change where audit events are streamed to, and how long they are kept. */
export const mayManageAudit = may('audit.manage');
