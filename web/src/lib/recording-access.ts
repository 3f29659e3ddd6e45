import type { Session } from './api/types.ts';

type Action = 'recordings.view' | 'recordings.export' | 'recordings.manage';

/** In any account for SuperAdmins, in the own one for its owner and admins: as the hub's policy says. */
const may = (action: Action) => (session: Session, account: string) =>
  (session.permissions as readonly string[]).includes(action) &&
  (session.group?.role === 'SuperAdmin' || account === session.account);

/** See the recordings of an account, play them and search them. */
export const mayViewRecordings = may('recordings.view');
export const mayExportRecordings = may('recordings.export');
/** Hold and delete recordings, and change what is recorded. */
export const mayManageRecordings = may('recordings.manage');

/** The recordings of one device or one person. Managers see them, so that others get no link. */
export function recordingsPath(
  session: Session,
  account: string,
  of: { device?: string; person?: string },
): string | null {
  if (!mayViewRecordings(session, account)) return null;
  const query = new URLSearchParams({ ...(session.operator && { account }), ...of });
  return `/sessions?${query}`;
}
