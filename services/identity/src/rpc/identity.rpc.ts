import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { invalidInput } from '@warren/platform/errors/fault';
import { requireService, type Caller } from '@warren/platform/rpc/caller';
import { RpcServer } from '@warren/platform/rpc/rpc.server';
import type { RpcHandlers } from '@warren/platform/rpc/types';
import { OriginSchema } from '@warren/proto/common/v1/common';
import {
  IdentityService,
  type CheckSessionRequest,
  type CheckSessionsRequest,
  type CountSessionsRequest,
  type CreateSocketTokenRequest,
  type EndOwnSessionsRequest,
  type EndSessionsRequest,
  type GetSamlRequestRequest,
  type GetSessionRequest,
  type ListOwnSessionsRequest,
  type ListRefusedSignInsRequest,
  type PeekSocketTokenRequest,
  type RedeemSocketTokenRequest,
  type RemoveSamlRequestRequest,
  type ReportRefusedSignInRequest,
  type SaveSamlRequestRequest,
  type SignInRequest,
  type SignOutRequest,
} from '@warren/proto/identity/v1/identity';
import { RefusedSignIns } from '../refused-sign-ins/refused.sign-ins.service.ts';
import { SamlState } from '../saml/saml.state.ts';
import { AccountSessions } from '../sessions/account.sessions.ts';
import { milliseconds, sessionAnswer } from '../sessions/session.answer.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { SignInService } from '../sign-in/sign-in.service.ts';
import { SocketTokensService } from '../socket-tokens/socket-tokens.service.ts';

/** Maximum sessions per call. */
const MAX_CHECKED = 1_000;

/** Serves IdentityService. Only the gateway calls it, and tunnels to redeem socket tokens and to check sessions. */
@Injectable()
export class IdentityRpc implements RpcHandlers<typeof IdentityService>, OnModuleInit {
  constructor(
    private readonly server: RpcServer,
    private readonly state: SamlState,
    private readonly signIns: SignInService,
    private readonly sessions: SessionsService,
    private readonly accounts: AccountSessions,
    private readonly tokens: SocketTokensService,
    private readonly refused: RefusedSignIns,
  ) {}

  onModuleInit(): void {
    this.server.serve(IdentityService, this);
  }

  async saveSamlRequest(caller: Caller, { id, value }: SaveSamlRequestRequest) {
    requireService(caller, 'gateway');
    await this.state.saveRequest(id, value);
    return {};
  }

  async getSamlRequest(caller: Caller, { id }: GetSamlRequestRequest) {
    requireService(caller, 'gateway');
    const value = await this.state.getRequest(id);
    return value === undefined ? {} : { value };
  }

  async removeSamlRequest(caller: Caller, { id }: RemoveSamlRequestRequest) {
    requireService(caller, 'gateway');
    return (await this.state.removeRequest(id)) ? { id } : {};
  }

  async signIn(caller: Caller, request: SignInRequest) {
    requireService(caller, 'gateway');
    const { secret, expires } = await this.signIns.signIn(withOrigin(caller, request), request);
    return { session: secret, expires: timestampFromDate(expires) };
  }

  async reportRefusedSignIn(caller: Caller, request: ReportRefusedSignInRequest) {
    requireService(caller, 'gateway');
    await this.signIns.refused(withOrigin(caller, request), request);
    return {};
  }

  listRefusedSignIns(caller: Caller, request: ListRefusedSignInsRequest) {
    return this.refused.list(caller, request);
  }

  async getSession(caller: Caller, { session, background }: GetSessionRequest) {
    requireService(caller, 'gateway');
    return sessionAnswer(await this.sessions.get(session, { touch: !background }));
  }

  async countSessions(caller: Caller, { accountId }: CountSessionsRequest) {
    requireService(caller, 'gateway');
    return { sessions: await this.accounts.count(accountId) };
  }

  async signOut(caller: Caller, { session }: SignOutRequest) {
    requireService(caller, 'gateway');
    return { idToken: await this.signIns.signOut(caller, session) };
  }

  async endSessions(caller: Caller, { of, tokenId, tokenExpires }: EndSessionsRequest) {
    requireService(caller, 'gateway', 'tenancy');
    if (of.case === 'email') return { ended: await this.signIns.endByEmail(of.value, 'asked for', caller) };
    if (of.case === undefined) throw invalidInput({ field: 'of', message: 'expected an email or a subject.' });
    if (!of.value.nameId && !of.value.sessionIndex)
      throw invalidInput({ field: 'subject', message: 'expected a name_id or a session_index.' });
    const token = tokenId && tokenExpires ? { id: tokenId, expires: timestampDate(tokenExpires) } : undefined;
    return { ended: await this.signIns.endBySubject(caller, of.value, token) };
  }

  async listOwnSessions(caller: Caller, { session }: ListOwnSessionsRequest) {
    requireService(caller, 'gateway');
    const sessions = await this.sessions.listOwn(session);
    return {
      sessions: sessions.map(({ id, current, created, used, session: { remoteAddress, userAgent } }) => ({
        id,
        current,
        created: timestampFromMs(created),
        used: timestampFromMs(used),
        remoteAddress,
        userAgent,
      })),
    };
  }

  async endOwnSessions(caller: Caller, request: EndOwnSessionsRequest) {
    requireService(caller, 'gateway');
    const { session, id } = request;
    return { ended: await this.signIns.endOwn(withOrigin(caller, request), session, id) };
  }

  async createSocketToken(caller: Caller, request: CreateSocketTokenRequest) {
    requireService(caller, 'gateway');
    const { token, expires } = await this.tokens.issue(caller, request);
    return { token, expires: timestampFromDate(expires) };
  }

  async peekSocketToken(caller: Caller, { token }: PeekSocketTokenRequest) {
    requireService(caller, 'gateway', 'tunnels');
    return { deviceId: await this.tokens.peek(token) };
  }

  async redeemSocketToken(caller: Caller, { token, userId, purpose, guests }: RedeemSocketTokenRequest) {
    requireService(caller, 'tunnels');
    const redeemed = await this.tokens.redeem(caller, { token, userId, purpose, guests });
    const { user, deviceId, deviceAccountId, session, state, mostSockets } = redeemed;
    return {
      deviceId,
      deviceAccountId,
      session,
      state,
      ...(user ? { user } : {}),
      ...(mostSockets === undefined ? {} : { mostSockets }),
    };
  }

  async checkSession(caller: Caller, { session }: CheckSessionRequest) {
    requireService(caller, 'tunnels');
    return { alive: await this.sessions.isAlive(session) };
  }

  async checkSessions(caller: Caller, { sessions }: CheckSessionsRequest) {
    requireService(caller, 'tunnels');
    if (sessions.length > MAX_CHECKED)
      throw invalidInput({ field: 'sessions', message: `${sessions.length} came, expected at most ${MAX_CHECKED}.` });
    return { leftMs: (await this.sessions.timesLeft(sessions)).map(milliseconds) };
  }
}

/** The caller with the origin that gateways of 0.1 send in the request. */
function withOrigin(
  caller: Caller,
  { remoteAddress: address, userAgent }: { remoteAddress: string; userAgent: string },
) {
  return caller.origin ? caller : { ...caller, origin: create(OriginSchema, { address, userAgent }) };
}
