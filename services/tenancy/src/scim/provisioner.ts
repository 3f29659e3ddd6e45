import { scimTokenActor, type AuditActorInit } from '@warren/platform/audit/audit.actor';
import { auditEvent, type Audited } from '@warren/platform/audit/audit.event';
import type { Sql } from '@warren/platform/database/sql';
import { Fault } from '@warren/platform/errors/fault';
import type { Event } from '@warren/platform/events/event';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { validate as isUuid } from 'uuid';
import { holdToken } from './scim.tokens.sql.ts';

/** An identity provider that acts by an account's SCIM token. */
export interface Provisioner {
  accountId: string;
  /** Makes the audit event of a change, with the token as its actor. */
  audited: (what: Omit<Audited, 'actor' | 'accountId'>) => Event;
}

/**
 * Resolves the token of a call by its id: the gateway has verified its secret. In a transaction, the token can't be revoked before its end.
 * @throws Fault `permission_denied` for other callers, `unauthenticated` for a token that is not in force now
 */
export async function provisionerOf(sql: Sql, caller: Caller, tokenId: string): Promise<Provisioner> {
  requireService(caller, 'gateway');
  const token = isUuid(tokenId) ? await holdToken(sql, tokenId) : undefined;
  if (!token) throw new Fault('unauthenticated', 'the SCIM token is unknown, expired or revoked.');
  const { accountId } = token;
  const actor: AuditActorInit = scimTokenActor(token, accountId);
  return { accountId, audited: (what) => auditEvent(caller, { ...what, accountId, actor }) };
}
