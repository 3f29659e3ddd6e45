import { Injectable } from '@nestjs/common';
import { create } from '@bufbuild/protobuf';
import { Fault } from '@warren/platform/errors/fault';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { UserCallerSchema } from '@warren/proto/common/v1/common';
import { IdentityService, type GetSessionResponse } from '@warren/proto/identity/v1/identity';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import { isDeepStrictEqual } from 'node:util';
import { denialOf, type Denial } from './access.ts';
import { Guesses } from './guesses.ts';
import { identityOf } from './provider.identity.ts';
import type { SignedIn } from './signed-in.request.ts';

/** Who is behind a session: either the active user as `caller`, or why there is none as `denial`. */
export interface Access {
  signedIn: SignedIn;
  caller: Caller | undefined;
  denial: Denial | undefined;
}

/**
 * Turns a session's secret into who asks. Both services are asked at each request, so a session that ended is over at the next one; what
 * the last reading gave only lets them be asked at the same time.
 */
@Injectable()
export class SessionReader {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    private readonly guesses: Guesses,
  ) {}

  /**
   * @param secret the cookie's value
   * @param requestId correlates the log lines of this request
   * @param background true for looking again by itself, which does not count as use
   * @throws Fault `unauthenticated` for a session that is not there any more; `unavailable` when nobody can tell
   */
  async read(secret: string, requestId?: string, background = false): Promise<Access> {
    const gateway = serviceCaller('gateway', requestId);
    const guess = this.guesses.of(secret)?.person;
    const early = guess && this.tenancy.resolveMember(gateway, guess);
    // Of no interest when there is no session any more.
    early?.catch(() => {});
    const session = await this.session(gateway, secret, background);
    const { email = '', name = '' } = session.saml ?? {};
    const person = { email, name, ...(session.saml ? { identity: identityOf(session.saml) } : {}) };
    const guessed = guess !== undefined && isDeepStrictEqual(guess, person);
    const member = await (guessed && early ? early : this.tenancy.resolveMember(gateway, person));
    // The page after a new sign-in says why it is refused.
    if (member.identityMismatch) throw new Fault('unauthenticated', 'the user is bound to another identity.');
    const denial = denialOf(member);
    const caller = denial ? undefined : callerOf(member, requestId);
    this.guesses.keep(secret, { person, caller });
    return { signedIn: { session, secret, member }, caller, denial };
  }

  /**
   * Reads the first of these secrets that is a session's.
   * @throws Fault as {@link read}; of the first secret when none is
   */
  async readFirst(secrets: readonly [string, ...string[]], requestId?: string): Promise<Access> {
    let refused: unknown;
    for (const secret of secrets) {
      try {
        return await this.read(secret, requestId);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'unauthenticated') throw error;
        refused ??= error;
      }
    }
    throw refused;
  }

  private async session(gateway: Caller, session: string, background: boolean): Promise<GetSessionResponse> {
    try {
      return await this.identity.getSession(gateway, { session, background });
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthenticated') this.guesses.forget(session);
      throw error;
    }
  }
}

function callerOf({ user, operator }: ResolveMemberResponse, requestId?: string): Caller | undefined {
  if (!user) return undefined;
  const { id: userId, email, name, accountId, role } = user;
  return userCaller(create(UserCallerSchema, { userId, email, name, accountId, role, operator }), requestId);
}
