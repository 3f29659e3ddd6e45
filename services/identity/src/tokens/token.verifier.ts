import { create } from '@bufbuild/protobuf';
import { timestampFromDate, timestampNow } from '@bufbuild/protobuf/wkt';
import { Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { isApiToken } from '@warren/platform/secrets/api.token';
import { StoredSessionSchema, type StoredSession } from '@warren/proto/identity/v1/identity';
import type { VerifyTokenRequest } from '@warren/proto/identity/v1/tokens';
import { DataSource } from 'typeorm';
import { plain } from '../audit/audit.event.ts';
import { AuditService } from '../audit/audit.service.ts';
import { hashOf } from '../secrets/secret.ts';
import { SessionStore, type LiveSession } from '../sessions/session.store.ts';
import { SessionsService } from '../sessions/sessions.service.ts';
import { RefusalLimit } from '../sign-in/refusal.limit.ts';
import { tokenChecks } from '../telemetry/metrics.ts';
import { findToken, noteUse, type FoundToken } from './tokens.sql.ts';

type Presented = Omit<VerifyTokenRequest, '$typeName' | '$unknown'>;

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
    private readonly audit: AuditService,
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
    const token = await findToken(this.source, hash);
    if (!token) return this.refuse(presented, 'unknown');
    if (token.revoked) return this.refuse(presented, 'revoked', token);
    if (token.expired) return this.refuse(presented, 'expired', token);
    const session = entryOf(token);
    await this.store.save(hash, session, PROVISIONAL_MS);
    const [live] = await this.store.load([hash]);
    if (!live) return this.refuse(presented, 'expired', token);
    return this.confirm(live, presented);
  }

  /**
   * Notes the use, and lets the entry last. The row's lock orders this against a revocation, which removes the entry while it holds the
   * lock: what it removes stays removed, since extending brings nothing back.
   */
  private async confirm(live: LiveSession, presented: Presented): Promise<LiveSession> {
    const { token } = live.session.token ?? {};
    const id = token?.id ?? '';
    if (!(await noteUse(this.source, id, plain(presented.remoteAddress)))) {
      await this.store.remove([live.hash]);
      await this.store.announceEnd([live.hash]);
      return this.refuse(presented, 'expired', { id, name: token?.name ?? '', email: live.session.saml?.email ?? '' });
    }
    tokenChecks.inc({ result: 'valid' });
    return this.sessions.extended(live);
  }

  private async refuse(
    { remoteAddress, userAgent }: Presented,
    result: 'unknown' | 'revoked' | 'expired',
    token?: Pick<FoundToken, 'id' | 'name' | 'email'>,
  ): Promise<never> {
    tokenChecks.inc({ result });
    if (await this.refusals.admits()) {
      const detail = token ? `${token.name} ${token.id}: ${result}` : result;
      const actor = token?.email ?? '';
      await this.audit.record({ action: 'token_refused', actor, detail, remoteAddress, userAgent });
    }
    throw new Fault('unauthenticated', `the API token is ${result}.`);
  }
}

function entryOf({ id, name, permissions, filter, email, ...token }: FoundToken): StoredSession {
  return create(StoredSessionSchema, {
    saml: { email },
    created: timestampNow(),
    expires: timestampFromDate(token.expires_at),
    token: {
      token: { id, name, permissions, filter },
      userId: token.user_id,
      accountId: token.account_id,
    },
  });
}
