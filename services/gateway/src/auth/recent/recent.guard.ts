import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { requireRecentSignIn } from '@warren/platform/policy/recent.sign-in';
import type { SignedInRequest } from '../../http/signed-in.request.ts';
import { recentMinutesFor } from './recent.operations.ts';

/**
 * Holds a request against the age of its sign-in, where the account of the person asks for a recent one. Runs after the session guard and
 * that of API tokens.
 */
@Injectable()
export class RecentSignInGuard implements CanActivate {
  /** @throws Fault `recent_sign_in_required` */
  canActivate(context: ExecutionContext): boolean {
    const { caller, signedIn, query } = context.switchToHttp().getRequest<SignedInRequest>();
    if (caller?.kind.case !== 'user' || !signedIn) return true;
    const { recentSignIn } = signedIn.member;
    const minutes = recentMinutesFor(context.getHandler().name, query['purpose'], recentSignIn);
    if (minutes !== undefined) requireRecentSignIn(caller.kind.value, minutes);
    return true;
  }
}
