import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import type { SignedIn, SignedInRequest } from '../http/signed-in.request.ts';

function requestOf(context: ExecutionContext): SignedInRequest {
  return context.switchToHttp().getRequest<SignedInRequest>();
}

/**
 * Injects the `Caller` of the request: the signed-in, active user.
 * @throws Fault `unauthenticated` without one, as on a public route
 */
export const CurrentCaller = createParamDecorator((_data: undefined, context: ExecutionContext) => {
  const { caller } = requestOf(context);
  if (!caller) throw new Fault('unauthenticated', 'sign in first.');
  return caller;
});

/** Injects the session and member of the request, also of people without an account. @throws Fault as {@link CurrentCaller} */
export const CurrentSession = createParamDecorator((_data: undefined, context: ExecutionContext): SignedIn => {
  const { signedIn } = requestOf(context);
  if (!signedIn) throw new Fault('unauthenticated', 'sign in first.');
  return signedIn;
});
