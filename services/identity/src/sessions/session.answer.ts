import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetSessionResponseSchema } from '@warren/proto/identity/v1/identity';
import type { LiveSession } from './session.store.ts';

/** What the gateway learns of a session. */
export function sessionAnswer({
  hash: id,
  left,
  session,
}: LiveSession): MessageInitShape<typeof GetSessionResponseSchema> {
  const { identityId, saml, created, authTime, token } = session;
  const times = { ...(created && { created }), ...(authTime && { authTime }) };
  const parts = { ...(saml && { saml }), ...(token && { token }), ...times };
  return { identityId, ...parts, id, leftMs: milliseconds(left) };
}

/** Rounds milliseconds for the wire, and caps a long configured lifetime at the range of its field. */
export function milliseconds(left: number): number {
  return Math.min(Math.ceil(left), 0xffff_ffff);
}
