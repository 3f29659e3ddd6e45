import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { quotasOf } from '@warren/platform/quotas/quotas';
import type { SignedInRequest } from './signed-in.request.ts';
import { ApiCalls } from './api.calls.ts';

/** Enforces an account's quota of API calls. Runs after the session guard. */
@Injectable()
export class ApiCallsGuard implements CanActivate {
  constructor(private readonly calls: ApiCalls) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { caller, signedIn } = context.switchToHttp().getRequest<SignedInRequest>();
    const limit = quotasOf(signedIn?.member.quotas).api_calls;
    if (caller?.kind.case !== 'user' || typeof limit !== 'number') return true;
    await this.calls.count(caller.kind.value.accountId, limit);
    return true;
  }
}
