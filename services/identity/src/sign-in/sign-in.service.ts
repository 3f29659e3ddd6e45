import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { quotaRefusals } from '@warren/platform/quotas/metrics';
import type { SamlSubject, SignInRequest, StoredSession } from '@warren/proto/identity/v1/identity';
import type { Origin } from '../audit/audit.event.ts';
import { AuditService } from '../audit/audit.service.ts';
import { IdentitiesService } from '../identities/identities.service.ts';
import { SamlState } from '../saml/saml.state.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { SocketTokensService } from '../socket-tokens/socket-tokens.service.ts';
import { signIns, signOuts } from '../telemetry/metrics.ts';
import { RefusedSignIns, type Refusal } from '../refused-sign-ins/refused.sign-ins.service.ts';
import { RefusalLimit } from './refusal.limit.ts';
import { checkedIdentity, checkedIdToken } from './sign-in.schema.ts';

/** Signs users in and out. */
@Injectable()
export class SignInService {
  constructor(
    private readonly state: SamlState,
    private readonly identities: IdentitiesService,
    private readonly sessions: SessionsService,
    private readonly tokens: SocketTokensService,
    private readonly audit: AuditService,
    private readonly refusals: RefusalLimit,
    private readonly refusedSignIns: RefusedSignIns,
  ) {}

  /**
   * Opens a session for an assertion or ID token that the gateway has verified; the browser's previous session ends.
   * @throws Fault `already_exists` for a replayed assertion; `invalid_argument` for an incomplete one
   */
  async signIn(request: SignInRequest): Promise<{ secret: string; expires: Date }> {
    const saml = checkedIdentity(request.saml);
    const { assertionId, assertionExpires, previousSession, remoteAddress, userAgent } = request;
    if (!assertionId || !assertionExpires) {
      throw invalidInput({ field: 'assertion', message: 'expected an id and a time of expiry.' });
    }
    const fresh = await this.state.useAssertion(saml.provider, assertionId, timestampDate(assertionExpires));
    if (!fresh) {
      const used = {
        reason: 'assertion used before',
        kind: 'request',
        email: saml.email,
        accountId: request.accountId,
      };
      await this.refused({ provider: saml.provider, ...used, remoteAddress, userAgent });
      throw new Fault('already_exists', 'the assertion was used before; sign in again.');
    }
    const identityId = await this.identities.signedIn(saml, { remoteAddress, userAgent });
    if (previousSession) await this.sessions.end(previousSession);
    const { accountId, mostSessions } = request;
    const most = mostSessions === undefined ? undefined : Number(mostSessions);
    const origin = { remoteAddress, userAgent };
    const proof = { authTime: request.authTime, idToken: checkedIdToken(request.idToken) };
    const { secret, expires, ended } = await this.sessions.open(identityId, saml, origin, { accountId, most }, proof);
    signIns.inc({ provider: saml.provider, result: 'signed_in' });
    await this.endedForQuota(ended, most);
    return { secret, expires };
  }

  private async endedForQuota(ended: readonly StoredSession[], most = 0): Promise<void> {
    signOuts.inc({ reason: 'quota' }, ended.length);
    quotaRefusals.inc({ quota: 'sessions' }, ended.length);
    const detail = `unused the longest, since the account may have ${most}: 1`;
    for (const { saml } of ended)
      await this.audit.record({ action: 'sessions_ended', actor: saml?.email ?? '', detail });
  }

  /** @returns the ID token of the sign-in; empty without one */
  async signOut(secret: string): Promise<string> {
    const session = await this.sessions.end(secret);
    if (!session) return '';
    signOuts.inc({ reason: 'person' });
    await this.audit.record({
      action: 'sign_out',
      actor: session.saml?.email ?? '',
      detail: session.saml?.provider ?? '',
    });
    return session.idToken;
  }

  /**
   * Ends one session of the user of a session, or all others.
   * @param id as listed; empty for all others
   * @throws Fault `unauthenticated`; `not_found` if the user has no such session
   */
  async endOwn(secret: string, id: string, origin: Origin): Promise<number> {
    const listed = await this.sessions.listOwn(secret);
    const ending = listed.filter((one) => (id === '' ? !one.current : one.id === id));
    if (ending.length === 0 && id !== '') throw new Fault('not_found', `session ${id}.`);
    const ended = await this.sessions.endAll(ending.map(({ hash }) => hash));
    signOuts.inc({ reason: 'person' }, ended);
    const actor = listed.find(({ current }) => current)?.session.saml?.email ?? '';
    const from = ending[0]?.session.remoteAddress || 'an unknown address';
    const detail = id === '' ? `signed out everywhere else: ${ended}` : `one signed in from ${from}: ${ended}`;
    if (ended > 0) await this.audit.record({ action: 'sessions_ended', actor, detail, ...origin });
    return ended;
  }

  /** Refusals need no account, so only some per minute are recorded. */
  async refused(refusal: Refusal): Promise<void> {
    const { provider, reason, remoteAddress, userAgent } = refusal;
    signIns.inc({ provider: provider || 'unknown', result: 'refused' });
    if (!(await this.refusals.admits())) return;
    await this.audit.record({ action: 'sign_in_refused', detail: `${provider}: ${reason}`, remoteAddress, userAgent });
    await this.refusedSignIns.keep(refusal);
  }

  /** Ends every session of an e-mail and revokes its unused socket tokens. */
  async endByEmail(email: string, why: string): Promise<number> {
    const ended = await this.sessions.endByEmail(email);
    await this.tokens.revokeByEmail(email);
    signOuts.inc({ reason: 'withdrawn' }, ended);
    if (ended > 0) await this.audit.record({ action: 'sessions_ended', actor: email, detail: `${why}: ${ended}` });
    return ended;
  }

  /**
   * Ends the sessions of a subject at the request of its provider.
   * @param token that asked for it; the same one ends sessions once
   */
  async endBySubject(
    { provider, nameId, sessionIndex }: Pick<SamlSubject, 'provider' | 'nameId' | 'sessionIndex'>,
    token?: { id: string; expires: Date },
  ): Promise<number> {
    if (token && !(await this.state.useAssertion(provider, `logout ${token.id}`, token.expires))) return 0;
    const ended = await this.sessions.endBySubject(provider, nameId, sessionIndex);
    signOuts.inc({ reason: 'provider' }, ended);
    if (ended > 0) {
      await this.audit.record({
        action: 'sessions_ended',
        detail: `${provider}: ${nameId || sessionIndex} signed out there: ${ended}`,
      });
    }
    return ended;
  }
}
