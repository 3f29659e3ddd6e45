import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { SignedIn, SignedInRequest } from '../http/signed-in.request.ts';

function requestOf(context: ExecutionContext): SignedInRequest {
  return context.switchToHttp().getRequest<SignedInRequest>();
}

/**
 * The `Caller` that the session guard made for this request: the signed-in, active user.
 * Throws Fault `unauthenticated` where there is none, as on a public route.
 */
export const CurrentCaller = createParamDecorator((_data: undefined, context: ExecutionContext) => {
  const { caller } = requestOf(context);
  if (!caller) throw new Fault('unauthenticated', 'sign in first.');
  return caller;
});

/** The session and member behind this request, also of people who have no account. Throws as {@link CurrentCaller}. */
export const CurrentSession = createParamDecorator((_data: undefined, context: ExecutionContext): SignedIn => {
  const { signedIn } = requestOf(context);
  if (!signedIn) throw new Fault('unauthenticated', 'sign in first.');
  return signedIn;
});
