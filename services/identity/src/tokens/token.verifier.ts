import { create } from '@bufbuild/protobuf';
import { timestampFromDate, timestampNow } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { serviceAccountActor, tokenActor } from '@warren/platform/audit/audit.actor';
import { auditEvent } from '@warren/platform/audit/audit.event';
import { plainText } from '@warren/platform/audit/plain';
import { Fault } from '@warren/platform/errors/fault';
import { Outbox, type EventfulTransactions } from '@warren/platform/events/outbox';
import type { Caller } from '@warren/platform/rpc/caller';
import { isApiToken } from '@warren/platform/secrets/api.token';
import { StoredSessionSchema, type StoredSession } from '@warren/proto/identity/v1/identity';
import type { VerifyTokenRequest } from '@warren/proto/identity/v1/tokens';
import { DataSource } from 'typeorm';
import { hashOf } from '../secrets/secret.ts';
import { SessionStore, type LiveSession } from '../sessions/session.store.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { RefusalLimit } from '../sign-in/refusal.limit.ts';
import { tokenChecks } from '../telemetry/metrics.ts';
import { TokenEntity } from './token.entity.ts';
import { noteUse } from './tokens.sql.ts';

type Presented = Pick<VerifyTokenRequest, 'secret' | 'background'> & { caller: Caller };
type Known = Pick<TokenEntity, 'id' | 'name' | 'email' | 'userId' | 'accountId' | 'serviceAccount'>;

/** How long a new entry lasts until its token has been found in force again. */
const PROVISIONAL_MS = 2_000;

/**
 * Verifies API tokens. A token in use has an entry in Redis beside browser sessions, under the hash of its secret: its end is seen by
 * gateways and tunnels as that of a session.
 */
@Injectable()
export class TokenVerifier {
  constructor(
    private readonly source: DataSource,
    private readonly store: SessionStore,
    private readonly sessions: SessionsService,
    @Inject(Outbox) private readonly outbox: EventfulTransactions,
    private readonly refusals: RefusalLimit,
  ) {}

  /** @throws Fault `unauthenticated` for a secret that is of no token, or of one that is expired or revoked */
  async verify(presented: Presented): Promise<LiveSession> {
    const { secret, background } = presented;
    if (!isApiToken(secret)) return this.refuse(presented, 'unknown');
    const hash = hashOf(secret);
    const [live] = await this.store.load([hash]);
    if (!live?.session.token) return this.open(hash, presented);
    if (background || !this.sessions.isTouchDue(live)) return live;
    return this.confirm(live, presented);
  }

  /** Makes the entry of a token. */
  private async open(hash: string, presented: Presented): Promise<LiveSession> {
    const token = await this.source.manager.findOneBy(TokenEntity, { hash });
    if (!token) return this.refuse(presented, 'unknown');
    if (token.revokedAt) return this.refuse(presented, 'revoked', token);
    if (token.expiresAt <= new Date()) return this.refuse(presented, 'expired', token);
    const session = entryOf(token);
    await this.store.saveToken(hash, session, PROVISIONAL_MS);
    const [live] = await this.store.load([hash]);
    if (!live) return this.refuse(presented, 'expired', token);
    return this.confirm(live, presented);
  }

  /**
   * Notes the use, and lets the entry last. The row's lock orders this against a revocation, which removes the entry while it holds the
   * lock: what it removes stays removed, since extending brings nothing back.
   */
  private async confirm(live: LiveSession, presented: Presented): Promise<LiveSession> {
    const { id } = knownOf(live.session);
    if (!(await noteUse(this.source, id, plainText(presented.caller.origin?.address)))) {
      await this.store.endTokens([live.hash]);
      return this.refuse(presented, 'expired', knownOf(live.session));
    }
    tokenChecks.inc({ result: 'valid' });
    return this.sessions.extended(live);
  }

  private async refuse(
    { caller }: Presented,
    result: 'unknown' | 'revoked' | 'expired',
    token?: Known,
  ): Promise<never> {
    tokenChecks.inc({ result });
    // An unknown secret says nothing about anybody.
    if (token && (await this.refusals.admits('token'))) {
      const { id, name, email, userId, accountId, serviceAccount } = token;
      const actor = serviceAccount
        ? serviceAccountActor({ userId, name: serviceAccount, accountId }, name)
        : tokenActor(token, { userId, email, accountId });
      const what = { action: 'token.use', outcome: 'refused', accountId, target: { kind: 'token', id, name } } as const;
      await this.outbox.transaction(async (_manager, emit) =>
        emit(auditEvent(caller, { ...what, actor, reason: result })),
      );
    }
    throw new Fault('unauthenticated', `the API token is ${result}.`);
  }
}

function knownOf({ saml, token }: StoredSession): Known {
  const { id = '', name = '' } = token?.token ?? {};
  const { userId = '', accountId = '', serviceAccount = '' } = token ?? {};
  return { id, name, email: saml?.email ?? '', userId, accountId, serviceAccount };
}

function entryOf(token: TokenEntity): StoredSession {
  const { id, name, permissions, filter, email, userId, accountId, serviceAccount, expiresAt } = token;
  return create(StoredSessionSchema, {
    saml: { email },
    created: timestampNow(),
    expires: timestampFromDate(expiresAt),
    token: {
      token: { id, name, permissions, filter },
      userId,
      accountId,
      serviceAccount,
    },
  });
}
