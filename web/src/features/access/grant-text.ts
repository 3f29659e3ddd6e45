import type { Grant } from '../../lib/api/types.ts';
import { access as text } from '../../lib/messages/access.ts';

/** Whom a grant names. */
export function subjectOf({ subject: { kind, name } }: Grant): string {
  if (kind === 'everyone') return text.everyone;
  return kind === 'service_account' ? text.program(name) : name;
}

/** The permissions of a grant, in a line; to view is part of each, so it stands alone. */
export function permissionsText(permissions: Grant['permissions']): string {
  const more = permissions.filter((name) => name !== 'view');
  return (more.length > 0 ? more : permissions).map((name) => text.short[name]).join(', ');
}

/** The devices that a grant is for. */
export const devicesOf = ({ filter }: Pick<Grant, 'filter'>): string => filter || text.allDevices;
