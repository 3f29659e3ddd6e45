import type { MessageInitShape } from '@bufbuild/protobuf';
import { AuditActorKind, type AuditActorSchema } from '@warren/proto/audit/v1/audit';
import type { Caller, UserCaller } from '../rpc/caller.ts';

export type AuditActorInit = MessageInitShape<typeof AuditActorSchema>;

/** The actor of what a caller does. */
export function actorOf({ kind }: Pick<Caller, 'kind'>): AuditActorInit {
  return kind.case === 'user' ? userActor(kind.value) : systemActor(kind.value?.name ?? '');
}

export function userActor({ userId, name, email, accountId }: UserCaller): AuditActorInit {
  return { kind: AuditActorKind.USER, id: userId, name, email, accountId };
}

/** @param service that acts on its own: `devices` */
export function systemActor(service: string): AuditActorInit {
  return { kind: AuditActorKind.SYSTEM, id: service, name: 'Warren' };
}

export function deviceActor({ id, name, accountId }: { id: string; name: string; accountId: string }): AuditActorInit {
  return { kind: AuditActorKind.DEVICE, id, name, accountId };
}
