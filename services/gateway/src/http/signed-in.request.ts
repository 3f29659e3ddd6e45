import { create } from '@bufbuild/protobuf';
import { limitIn } from '@warren/platform/quotas/quotas';
import { serviceCaller, type Caller, type OriginInit } from '@warren/platform/rpc/caller';
import { OriginSchema } from '@warren/proto/common/v1/common';
import type { GetSessionResponse } from '@warren/proto/identity/v1/identity';
import type { ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import type { Request } from 'express';
import { clientAddress } from './client.address.ts';
import { requestIdOf } from './request.id.ts';

/** Of what a browser sends, the rest is dropped. */
const MAX_USER_AGENT = 400;

/** The session and member of a request, from the session guard; absent on public routes. */
export interface SignedIn {
  session: GetSessionResponse;
  /** The session's secret, needed to end it. */
  secret: string;
  /** The member by e-mail address; without `user` the person has no account. */
  member: ResolveMemberResponse;
}

/** Returns what a socket token is bound to: the session, and the quota of its account. */
export interface TokenOrigin {
  session: string;
  mostSockets?: bigint;
}

export function tokenOrigin({ secret, member }: Pick<SignedIn, 'secret' | 'member'>): TokenOrigin {
  const mostSockets = limitIn(member.quotas, 'sockets');
  return { session: secret, ...(mostSockets === undefined ? {} : { mostSockets }) };
}

/** A request after the session guard. */
export interface SignedInRequest extends Request {
  /** The signed-in, active user; absent without a session or an account. */
  caller?: Caller;
  /** Id of the operation in the OpenAPI document. */
  operation?: string;
  signedIn?: SignedIn;
  /** The verified SCIM token, which has no caller. */
  scimToken?: ScimToken;
}

/** A SCIM token, and the account whose users and groups it changes. */
export interface ScimToken {
  id: string;
  accountId: string;
  name: string;
}

/** Returns the id that pino-http gave a request. */
export function requestId(request: object): string | undefined {
  const { id } = request as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** Returns the client's address and user agent, for the audit trail. */
export function requestOrigin(request: Pick<Request, 'ip' | 'headers'>): OriginInit {
  return { address: clientAddress(request), userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT) };
}

/** Adds the origin of its request to a caller. */
export function withOrigin(caller: Caller, request: Pick<Request, 'ip' | 'headers'>): Caller {
  return { ...caller, origin: create(OriginSchema, requestOrigin(request)) };
}

/** Returns the gateway as the caller, with the id and origin of a request. */
export function gatewayCaller(request: Request): Caller {
  return serviceCaller('gateway', requestIdOf(request), requestOrigin(request));
}
