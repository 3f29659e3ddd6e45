import type { MessageInitShape } from '@bufbuild/protobuf';
import { AuditActorKind, type AuditActorSchema } from '@warren/proto/audit/v1/audit';
import type { ApiToken, Guest } from '@warren/proto/common/v1/common';
import type { Caller, UserCaller } from '../rpc/caller.ts';

export type AuditActorInit = MessageInitShape<typeof AuditActorSchema>;

/** The actor of what a caller does. */
export function actorOf({ kind }: Pick<Caller, 'kind'>): AuditActorInit {
  if (kind.case !== 'user') return systemActor(kind.value?.name ?? '');
  const { guest } = kind.value;
  if (guest) return guestActor(guest, kind.value);
  const { token, ...user } = kind.value;
  if (user.serviceAccount) return serviceAccountActor(user, token?.name);
  return token ? tokenActor(token, user) : userActor(kind.value);
}

/** @param owner the person whose program acts */
export function tokenActor(
  { id, name }: Pick<ApiToken, 'id' | 'name'>,
  { userId: onBehalfOf, email, accountId }: Pick<UserCaller, 'userId' | 'email' | 'accountId'>,
): AuditActorInit {
  return { kind: AuditActorKind.TOKEN, id, name, email, accountId, onBehalfOf };
}

/** A SCIM token, which acts for no person. */
export function scimTokenActor(token: Pick<ApiToken, 'id' | 'name'>, accountId: string): AuditActorInit {
  return tokenActor(token, { userId: '', email: '', accountId });
}

/** @param maker the person whose link let the guest in */
export function guestActor(
  { id, name }: Pick<Guest, 'id' | 'name'>,
  { userId: onBehalfOf, email, accountId }: Pick<UserCaller, 'userId' | 'email' | 'accountId'>,
): AuditActorInit {
  return { kind: AuditActorKind.GUEST, id, name, email, accountId, onBehalfOf };
}

/** @param tokenName the name of the token that it acts by */
export function serviceAccountActor(
  { userId: id, name, accountId }: Pick<UserCaller, 'userId' | 'name' | 'accountId'>,
  tokenName = '',
): AuditActorInit {
  return { kind: AuditActorKind.SERVICE_ACCOUNT, id, name: tokenName ? `${name} (${tokenName})` : name, accountId };
}

function userActor({ userId, name, email, accountId }: UserCaller): AuditActorInit {
  return { kind: AuditActorKind.USER, id: userId, name, email, accountId };
}

/** @param service that acts on its own: `devices` */
export function systemActor(service: string): AuditActorInit {
  return { kind: AuditActorKind.SYSTEM, id: service, name: 'Warren' };
}

export function deviceActor({ id, name, accountId }: { id: string; name: string; accountId: string }): AuditActorInit {
  return { kind: AuditActorKind.DEVICE, id, name, accountId };
}
