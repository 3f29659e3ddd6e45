import type { AuditTargetKind } from '@warren/rules/audit';

interface About {
  accountId: string;
  target: { kind: AuditTargetKind; id: string; name: string };
}

/** What an audit event about an account repeats of it. */
export function aboutAccount({ id, name }: { id: string; name: string }): About {
  return { accountId: id, target: { kind: 'account', id, name } };
}

/** What an audit event about a group repeats of it. */
export function aboutGroup({ id, accountId, name }: { id: string; accountId: string; name: string }): About {
  return { accountId, target: { kind: 'group', id, name } };
}

/** What an audit event about a user repeats of it. */
export function aboutUser(row: { id: string; account_id: string; name: string; email: string }): About {
  return { accountId: row.account_id, target: { kind: 'user', id: row.id, name: row.name || row.email } };
}

/** What an audit event about an invitation repeats of it. */
export function aboutInvitation(row: { id: string; account_id: string; email: string }): About {
  return { accountId: row.account_id, target: { kind: 'invitation', id: row.id, name: row.email } };
}
