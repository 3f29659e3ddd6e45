import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { CallerSchema, type Caller, type OriginSchema, type UserCaller } from '@warren/proto/common/v1/common';
import { v7 as uuidv7 } from 'uuid';
import { Fault } from '../errors/fault.ts';

export type { Caller, UserCaller };

/** Where a request came from, for the audit trail. */
export type OriginInit = MessageInitShape<typeof OriginSchema>;

/** A process that speaks for itself: `gateway`, `tunnels`, … */
export function serviceCaller(name: string, requestId: string = uuidv7(), origin?: OriginInit): Caller {
  return create(CallerSchema, { kind: { case: 'service', value: { name } }, requestId, ...(origin && { origin }) });
}

/** A signed-in person. */
export function userCaller(user: UserCaller, requestId: string = uuidv7(), origin?: OriginInit): Caller {
  return create(CallerSchema, { kind: { case: 'user', value: user }, requestId, ...(origin && { origin }) });
}

/**
 * The person behind a call.
 * @throws Fault `permission_denied` when a service speaks for itself
 */
export function requireUser(caller: Caller): UserCaller {
  if (caller.kind.case !== 'user') throw new Fault('permission_denied', 'only a signed-in user may do this.');
  return caller.kind.value;
}

/**
 * Lets only the named services through.
 * @throws Fault `permission_denied` for users and other services
 */
export function requireService(caller: Caller, ...names: string[]): void {
  if (caller.kind.case !== 'service' || !names.includes(caller.kind.value.name)) {
    throw new Fault('permission_denied', 'this call is between services.');
  }
}

/** The `warren-caller` header: base64url of the Caller message. */
export function encodeCaller(caller: Caller): string {
  return Buffer.from(toBinary(CallerSchema, caller)).toString('base64url');
}

/** @throws Fault `unauthenticated` when the header is missing or no Caller */
export function decodeCaller(header: string): Caller {
  try {
    const caller = fromBinary(CallerSchema, Buffer.from(header, 'base64url'));
    if (caller.kind.case !== undefined) return caller;
  } catch (cause) {
    throw new Fault('unauthenticated', 'The call carries no readable caller.', { cause });
  }
  throw new Fault('unauthenticated', 'The call carries no caller.');
}
