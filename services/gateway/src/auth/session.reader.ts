import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { callerOfMember } from '@warren/platform/policy/member.caller';
import { serviceCaller, userCaller, type Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService, type GetSessionResponse } from '@warren/proto/identity/v1/identity';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import { denialOf, type Denial } from '../http/access.ts';
import { KnownSessions, type Known } from './known.sessions.ts';
import { identityOf } from './provider.identity.ts';
import type { SignedIn } from '../http/signed-in.request.ts';

/** The person of a session: the active user as `caller`, else the reason as `denial`. */
export interface Access {
  signedIn: SignedIn;
  caller: Caller | undefined;
  denial: Denial | undefined;
}

/** Resolves a session's secret to its person. An ended session and a revoked right take effect with the next request. */
@Injectable()
export class SessionReader {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    private readonly known: KnownSessions,
  ) {}

  /**
   * @param secret the cookie's value
   * @param requestId correlates the log lines of this request
   * @param background true for an automatic check, which does not extend the session
   * @throws Fault `unauthenticated` for an ended session; `unavailable` if identity or tenancy does not answer
   */
  async read(secret: string, requestId?: string, background = false): Promise<Access> {
    const known = background ? undefined : await this.known.look(secret);
    if (known?.due) void this.extend(secret, known, requestId);
    const session = known?.session ?? (await this.sessionOf(secret, background, requestId));
    const member = known?.member ?? (await this.memberOf(session, requestId));
    known?.keep(session, member);
    const denial = denialOf(member);
    return { signedIn: { session, secret, member }, denial, caller: denial ? undefined : callerOf(member, requestId) };
  }

  /**
   * Reads the session of the first valid secret.
   * @throws Fault as {@link read}; of the first secret if none is valid
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

  private sessionOf(session: string, background: boolean, requestId?: string): Promise<GetSessionResponse> {
    return this.identity.getSession(serviceCaller('gateway', requestId), { session, background });
  }

  /** Has identity extend a session. The request does not wait for it. */
  private async extend(secret: string, known: Known, requestId?: string): Promise<void> {
    await this.sessionOf(secret, false, requestId).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unauthenticated') known.forget();
    });
  }

  private async memberOf({ saml }: GetSessionResponse, requestId?: string): Promise<ResolveMemberResponse> {
    const { email = '', name = '' } = saml ?? {};
    const person = { email, name, ...(saml ? { identity: identityOf(saml) } : {}) };
    const member = await this.tenancy.resolveMember(serviceCaller('gateway', requestId), person);
    // The page after a new sign-in shows the reason.
    if (member.identityMismatch) throw new Fault('unauthenticated', 'the user is bound to another identity.');
    return member;
  }
}

function callerOf(member: ResolveMemberResponse, requestId?: string): Caller | undefined {
  const user = callerOfMember(member);
  return user && userCaller(user, requestId);
}
