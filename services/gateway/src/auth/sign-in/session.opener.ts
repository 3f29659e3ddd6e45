import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { limitIn } from '@warren/platform/quotas/quotas';
import type { Caller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { IdentityService } from '@warren/proto/identity/v1/identity';
import { TenancyService, type ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import type { Request, Response } from 'express';
import { gatewayCaller } from '../../http/signed-in.request.ts';
import { identityOf } from '../provider.identity.ts';
import { IdentityMismatch } from '../refusal/sign-in.refused.ts';
import type { VerifiedPerson } from '../refusal/verified.person.ts';
import { groupsMessage } from '../groups/group.mapping.ts';
import type { StatedGroups } from '../groups/provider.groups.ts';
import { HubCookies } from '../session.cookie.ts';

/** A verified answer of a provider, which opens one session. */
export interface VerifiedSignIn {
  saml: VerifiedPerson;
  /** The groups of the person at the provider. */
  groups: StatedGroups;
  /** Identifies the answer, so that it opens no second session. */
  assertionId: string;
  assertionExpires: Date;
  /** When the person proved who they are at the provider; undefined if it does not tell. */
  authTime?: Date | undefined;
  /** ID token for the logout at the provider. */
  idToken?: string | undefined;
}

/** Opens sessions for verified answers of providers. */
@Injectable()
export class SessionOpener {
  constructor(
    private readonly cookies: HubCookies,
    @InjectRpc(IdentityService) private readonly identity: RpcClient<typeof IdentityService>,
    @InjectRpc(TenancyService) private readonly tenancy: RpcClient<typeof TenancyService>,
  ) {}

  /**
   * Binds the user to the identity at the first sign-in, and sets the cookie of a new session. The rules for groups move the user after
   * identity has accepted the answer, so that an answer that was used before moves nobody, and before the browser has the session.
   * @throws IdentityMismatch for a user who is bound to another identity; Fault `already_exists` for an answer that was used before
   */
  async open(request: Request, response: Response, answer: VerifiedSignIn): Promise<void> {
    const { saml, assertionId, assertionExpires, authTime, idToken = '' } = answer;
    const gateway = gatewayCaller(request);
    const { operator, user, quotas, groupRules } = await this.requireSamePerson(gateway, saml);
    const mostSessions = limitIn(quotas, 'sessions');
    const { session, expires } = await this.identity.signIn(gateway, {
      saml,
      assertionId,
      assertionExpires: timestampFromDate(assertionExpires),
      previousSession: this.cookies.readSession(request) ?? '',
      remoteAddress: request.ip ?? '',
      userAgent: request.headers['user-agent'] ?? '',
      accountId: operator ? '' : (user?.accountId ?? ''),
      ...(user && { user: { userId: user.id, accountId: user.accountId } }),
      idToken,
      ...(authTime ? { authTime: timestampFromDate(notAhead(authTime)) } : {}),
      ...(mostSessions === undefined ? {} : { mostSessions }),
    });
    // Without rules in the account they move nobody. An older tenancy service does not say.
    if (user && groupRules !== false) await this.mapGroups(gateway, session, answer);
    this.cookies.setSession(response, session, expires ? timestampDate(expires) : new Date());
  }

  /** Applies the rules for groups. A failure ends the session, whose secret the browser doesn't get. */
  private async mapGroups(gateway: Caller, session: string, { saml, groups }: VerifiedSignIn): Promise<void> {
    try {
      await this.requireSamePerson(gateway, saml, groups);
    } catch (error) {
      // The failure of the sign-in is the one to report; without identity the session expires unused.
      await this.identity.signOut(gateway, { session }).catch(() => undefined);
      throw error;
    }
  }

  private async requireSamePerson(
    gateway: Caller,
    saml: VerifiedPerson,
    groups?: StatedGroups,
  ): Promise<ResolveMemberResponse> {
    const { email, name, provider } = saml;
    const person = { email, name, identity: identityOf(saml), bind: true };
    const member = await this.tenancy.resolveMember(gateway, {
      ...person,
      ...(groups && { groups: groupsMessage(groups) }),
    });
    if (member.identityMismatch) throw new IdentityMismatch(email, provider);
    return member;
  }
}

/** A clock that is ahead must not keep a sign-in recent for longer. */
function notAhead(time: Date): Date {
  return new Date(Math.min(time.getTime(), Date.now()));
}
