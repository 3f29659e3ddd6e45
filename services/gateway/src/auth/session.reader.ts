import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { callerOfMember } from '@warren/platform/policy/member.caller';
import { serviceCaller, userCaller, type Caller, type OriginInit } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { isApiToken } from '@warren/platform/secrets/api.token';
import { IdentityService, type GetSessionResponse, type VerifiedToken } from '@warren/proto/identity/v1/identity';
import { TokensService } from '@warren/proto/identity/v1/tokens';
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

/** About the look-up of a secret that the gateway does not know. */
export interface LookUp {
  /** Where the request comes from. */
  from: OriginInit;
  /** Stands around the look-up. */
  look: <T>(ask: () => Promise<T>) => Promise<T>;
}

const PLAIN: LookUp = { from: {}, look: (ask) => ask() };

/** Resolves the secret of a session or an API token to its person. An ended session and a revoked right take effect with the next request. */
@Injectable()
export class SessionReader {
  constructor(
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @InjectRpc(TokensService) private readonly tokens: RpcClient<typeof TokensService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
    private readonly known: KnownSessions,
  ) {}

  /**
   * @param secret the cookie's value, or an API token
   * @param requestId correlates the log lines of this request
   * @param background true for an automatic check, which does not extend the session
   * @throws Fault `unauthenticated` for an ended session; `unavailable` if identity or tenancy does not answer
   */
  async read(secret: string, requestId?: string, background = false, lookUp = PLAIN): Promise<Access> {
    const known = background ? undefined : await this.known.look(secret);
    const ask = () => this.sessionOf(secret, { background, from: lookUp.from }, requestId);
    if (known?.due) void this.extend(ask, known);
    const session = known?.session ?? (await lookUp.look(ask));
    const member = known?.member ?? (await this.memberOf(session, requestId));
    known?.keep(session, member);
    const denial = denialOf(member);
    const caller = denial ? undefined : callerOf(member, session, requestId);
    return { signedIn: { session, secret, member }, denial, caller };
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

  private async sessionOf(
    secret: string,
    { background, from }: Pick<LookUp, 'from'> & { background: boolean },
    requestId?: string,
  ): Promise<GetSessionResponse> {
    const gateway = serviceCaller('gateway', requestId, from);
    if (!isApiToken(secret)) return this.identity.getSession(gateway, { session: secret, background });
    const { session } = await this.tokens.verifyToken(gateway, { secret, background });
    if (!session?.token) throw new Fault('unauthenticated', 'the API token is not in force.');
    return session;
  }

  /** Has identity extend a session. The request does not wait for it. */
  private async extend(ask: () => Promise<GetSessionResponse>, known: Known): Promise<void> {
    await ask().catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unauthenticated') known.forget();
    });
  }

  private async memberOf({ saml, token }: GetSessionResponse, requestId?: string): Promise<ResolveMemberResponse> {
    const { email = '', name = '' } = saml ?? {};
    // A token is its user's, not an identity's.
    const person = { email, name, ...(saml && !token ? { identity: identityOf(saml) } : {}) };
    const member = await this.tenancy.resolveMember(serviceCaller('gateway', requestId), person);
    // The page after a new sign-in shows the reason.
    if (member.identityMismatch) throw new Fault('unauthenticated', 'the user is bound to another identity.');
    if (token && !isOwner(member, token)) throw new Fault('unauthenticated', "the API token's owner no longer exists.");
    return member;
  }
}

function callerOf(member: ResolveMemberResponse, session: GetSessionResponse, requestId?: string): Caller | undefined {
  const user = callerOfMember(member);
  if (!user) return undefined;
  const { token } = session.token ?? {};
  if (token) return userCaller({ ...user, token }, requestId);
  return userCaller(session.authTime ? { ...user, authTime: session.authTime } : user, requestId);
}

/** Whether the address is still that of the user in the account that the token was made in. */
function isOwner({ user }: ResolveMemberResponse, { userId, accountId }: VerifiedToken): boolean {
  return user?.id === userId && user.accountId === accountId;
}
