import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { auditEvent, type AuditCaller } from '@warren/platform/audit/audit.event';
import { Fault, invalidInput } from '@warren/platform/errors/fault';
import { RedisOutbox } from '@warren/platform/events/redis.outbox';
import { quotaRefusals } from '@warren/platform/quotas/metrics';
import { AuditActorKind } from '@warren/proto/audit/v1/audit';
import type { SamlSubject, SignInRequest } from '@warren/proto/identity/v1/identity';
import { serviceCaller } from '@warren/platform/rpc/caller';
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
    private readonly outbox: RedisOutbox,
    private readonly refusals: RefusalLimit,
    private readonly refusedSignIns: RefusedSignIns,
  ) {}

  /**
   * Opens a session for an assertion or ID token that the gateway has verified; the browser's previous session ends.
   * @throws Fault `already_exists` for a replayed assertion; `invalid_argument` for an incomplete one
   */
  async signIn(caller: AuditCaller, request: SignInRequest): Promise<{ secret: string; expires: Date }> {
    const saml = checkedIdentity(request.saml);
    const { assertionId, assertionExpires, previousSession, remoteAddress, userAgent } = request;
    if (!assertionId || !assertionExpires) {
      throw invalidInput({ field: 'assertion', message: 'expected an id and a time of expiry.' });
    }
    const fresh = await this.state.useAssertion(saml.provider, assertionId, timestampDate(assertionExpires));
    if (!fresh) {
      const used = { provider: saml.provider, reason: 'assertion used before', kind: 'request' };
      await this.refused(caller, { ...used, email: saml.email, accountId: request.accountId });
      throw new Fault('already_exists', 'the assertion was used before; sign in again.');
    }
    const identityId = await this.identities.signedIn(saml);
    if (previousSession)
      await this.sessions.end(previousSession, { caller, action: 'session.end', own: true, reason: 'signed in again' });
    const { accountId, mostSessions } = request;
    const most = mostSessions === undefined ? undefined : Number(mostSessions);
    const { user, authTime } = request;
    const from = { remoteAddress, userAgent };
    const opening = { identityId, saml, user, ...from, authTime, idToken: checkedIdToken(request.idToken) };
    const { secret, expires, ended } = await this.sessions.open(caller, opening, { accountId, most });
    signIns.inc({ provider: saml.provider, result: 'signed_in' });
    signOuts.inc({ reason: 'quota' }, ended.length);
    quotaRefusals.inc({ quota: 'sessions' }, ended.length);
    return { secret, expires };
  }

  /** @returns the ID token of the sign-in; empty without one */
  async signOut(caller: AuditCaller, secret: string): Promise<string> {
    const session = await this.sessions.end(secret, { caller, action: 'session.sign_out', own: true });
    if (session) signOuts.inc({ reason: 'person' });
    return session?.idToken ?? '';
  }

  /**
   * Ends one session of the user of a session, or all others.
   * @param id as listed; empty for all others
   * @throws Fault `unauthenticated`; `not_found` if the user has no such session
   */
  async endOwn(caller: AuditCaller, secret: string, id: string): Promise<number> {
    const listed = await this.sessions.listOwn(secret);
    const ending = listed.filter((one) => (id === '' ? !one.current : one.id === id));
    if (ending.length === 0 && id !== '') throw new Fault('not_found', `session ${id}.`);
    const reason = id === '' ? 'signed out everywhere else' : '';
    const how = { caller, action: 'session.end', own: true, reason } as const;
    const hashes = ending.map(({ hash }) => hash);
    const ended = await this.sessions.endAll(hashes, how);
    signOuts.inc({ reason: 'person' }, ended);
    return ended;
  }

  /** Refusals need no account, so only some per minute are recorded. */
  async refused(caller: AuditCaller, refusal: Refusal): Promise<void> {
    const { provider, reason } = refusal;
    signIns.inc({ provider: provider || 'unknown', result: 'refused' });
    if (!(await this.refusals.admits(refusal.email ? 'verified-sign-in' : 'sign-in'))) return;
    const actor = { kind: AuditActorKind.USER, email: refusal.email ?? '' };
    const outcome = 'refused';
    const event = auditEvent(caller, {
      action: 'session.sign_in',
      accountId: refusal.accountId ?? '',
      outcome,
      reason,
      actor,
      details: { provider },
    });
    await this.outbox.record([event]);
    await this.refusedSignIns.keep(caller, refusal);
  }

  /** Ends every session of an e-mail and revokes its unused socket tokens. */
  async endByEmail(email: string, reason: string, caller: AuditCaller = serviceCaller('identity')): Promise<number> {
    const ended = await this.sessions.endByEmail(email, { caller, action: 'session.end', reason });
    await this.tokens.revokeByEmail(email);
    signOuts.inc({ reason: 'withdrawn' }, ended);
    return ended;
  }

  /**
   * Ends the sessions of a subject at the request of its provider.
   * @param token that asked for it; the same one ends sessions once
   */
  async endBySubject(
    caller: AuditCaller,
    subject: Pick<SamlSubject, 'provider' | 'nameId' | 'sessionIndex'>,
    token?: { id: string; expires: Date },
  ): Promise<number> {
    const { provider } = subject;
    if (token && !(await this.state.useAssertion(provider, `logout ${token.id}`, token.expires))) return 0;
    const reason = `signed out at ${subject.provider}`;
    const ended = await this.sessions.endBySubject(subject, { caller, action: 'session.end', own: true, reason });
    signOuts.inc({ reason: 'provider' }, ended);
    return ended;
  }
}
