import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import type { AuditCaller } from '@warren/platform/audit/audit.event';
import { plainText } from '@warren/platform/audit/plain';
import { Fault } from '@warren/platform/errors/fault';
import type { UserCaller } from '@warren/proto/common/v1/common';
import { StoredSessionSchema, type SamlIdentity, type StoredSession } from '@warren/proto/identity/v1/identity';
import { GuestPresence } from './guest.presence.ts';
import { hashOf, newSecret } from '../secrets/secret.ts';
import { isTouchDue, SESSION_OPTIONS, type SessionOptions } from './session.options.ts';
import { AccountSessions, type CountedFor } from './account.sessions.ts';
import { endedBy, idOf, signedIn, type Ending } from './session.events.ts';
import { SessionIndex } from './session.index.ts';
import { SessionStore, type LiveSession } from './session.store.ts';

const ENDED = 'the session is not there or has ended; sign in again.';

/** Who signs in, and from where. */
export interface Opening {
  identityId: string;
  saml: SamlIdentity;
  user?: Pick<UserCaller, 'userId' | 'accountId'> | undefined;
  remoteAddress?: string;
  userAgent?: string;
  /** When the person proved who they are at the provider. */
  authTime?: StoredSession['authTime'];
  /** For the logout at the provider. */
  idToken?: string;
}

/** A session of a user. Times in milliseconds since 1970. */
export interface OwnSession {
  id: string;
  hash: string;
  current: boolean;
  session: StoredSession;
  created: number;
  used: number;
}

/**
 * Browser sessions. They expire in Redis: the time to live is the idle timeout, capped at the absolute end.
 */
@Injectable()
export class SessionsService {
  constructor(
    private readonly store: SessionStore,
    private readonly index: SessionIndex,
    private readonly accounts: AccountSessions,
    private readonly presence: GuestPresence,
    @Inject(SESSION_OPTIONS) private readonly options: SessionOptions,
  ) {}

  /**
   * Opens a session. Ends the e-mail's oldest sessions beyond a maximum, and those of the account that are unused for the longest beyond
   * its quota.
   * @returns also the sessions that were ended for the quota
   */
  async open(
    caller: AuditCaller,
    { identityId, saml, user, remoteAddress, userAgent, authTime, idToken = '' }: Opening,
    counted: CountedFor = { accountId: '' },
  ): Promise<{ secret: string; expires: Date; ended: StoredSession[] }> {
    const { accountId } = counted;
    const now = Date.now();
    const secret = newSecret();
    const hash = hashOf(secret);
    const origin = { remoteAddress: plainText(remoteAddress), userAgent: plainText(userAgent) };
    const of = { userId: user?.userId ?? '', userAccountId: user?.accountId ?? '' };
    const session = create(StoredSessionSchema, {
      identityId,
      saml,
      created: timestampFromMs(now),
      ...origin,
      accountId,
      ...of,
      ...(authTime && { authTime }),
      idToken,
    });
    const end = now + this.options.absoluteMs;
    // The index first: a session outside the index could not be ended by its user.
    const surplus = await this.index.add(saml, hash, end, now);
    await this.store.save(hash, session, signedIn(caller, hash, session));
    // Not before: a concurrent sign-in would take it for one that has ended.
    if (accountId !== '') await this.accounts.add(accountId, hash, end);
    await this.endAll(surplus, { caller, action: 'session.end', reason: 'too many sessions of the user' });
    const ended = accountId === '' ? [] : await this.endFor(caller, counted, hash);
    return { secret, expires: new Date(end), ended };
  }

  /**
   * Returns the session of a secret; `touch` restarts its idle time.
   * @throws Fault `unauthenticated`
   */
  async get(secret: string, { touch }: { touch: boolean }): Promise<LiveSession> {
    const [live] = await this.store.load([hashOf(secret)]);
    // The secret of an API token is no cookie.
    if (!live || live.session.token) throw new Fault('unauthenticated', ENDED);
    return touch ? this.touched(live) : live;
  }

  /** Ends a session. @returns the ended session; undefined without one */
  async end(secret: string, ending: Ending): Promise<StoredSession | undefined> {
    const [live] = await this.store.load([hashOf(secret)]);
    return live && (await this.endAll([live.hash], ending)) > 0 ? live.session : undefined;
  }

  /** Whether the session of a hash is live. */
  async isAlive(hash: string): Promise<boolean> {
    return (await this.store.load([hash]))[0] !== undefined;
  }

  /**
   * Milliseconds until each session expires if it stays unused, 0 for an expired one.
   * @param uses sessions by their hashes, and whether a person was active in them
   */
  async timesLeft(uses: readonly { session: string; used: boolean }[]): Promise<number[]> {
    const found = await this.store.load(uses.map(({ session }) => session));
    await this.presence.note(found.flatMap((live) => live?.session.token?.guest?.id ?? []));
    return Promise.all(
      found.map(async (live, at) => {
        if (!live) return 0;
        return (uses[at]?.used ? await this.touched(live) : live).left;
      }),
    );
  }

  /**
   * Lists the sessions of the user of a session, newest first.
   * @throws Fault `unauthenticated`
   */
  async listOwn(secret: string): Promise<OwnSession[]> {
    const mine = await this.get(secret, { touch: false });
    const found = await this.store.load(await this.index.byEmail(mine.session.saml?.email ?? ''));
    const live = found.filter((one) => one !== undefined);
    const uses = await this.store.lastUses(live.map(({ hash }) => hash));
    return live
      .map(({ hash, session, created }, at) => {
        const used = Math.max(uses[at] ?? 0, created);
        return { id: idOf(hash), hash, current: hash === mine.hash, session, created, used };
      })
      .toSorted((one, other) => other.created - one.created);
  }

  /** Ends every session of an e-mail. @returns how many there were */
  async endByEmail(email: string, ending: Ending): Promise<number> {
    return this.endAll(await this.index.byEmail(email), ending);
  }

  /**
   * Ends the sessions of a subject: one when `sessionIndex` names it, all of them when it is empty. Without a `nameId`, ends those that
   * `sessionIndex` names.
   */
  async endBySubject(
    subject: { provider: string; nameId: string; sessionIndex: string },
    ending: Ending,
  ): Promise<number> {
    const { provider, nameId, sessionIndex } = subject;
    if (!nameId) return this.endAll(await this.index.bySessionIndex(provider, sessionIndex), ending);
    const hashes = await this.index.bySubject(provider, nameId);
    if (!sessionIndex) return this.endAll(hashes, ending);
    const found = await this.store.load(hashes);
    const those = hashes.filter((_, at) => found[at]?.session.saml?.sessionIndex === sessionIndex);
    return this.endAll(those, ending);
  }

  /** @param hashes of sessions @returns how many there were */
  async endAll(hashes: string[], ending: Ending): Promise<number> {
    const live = (await this.store.load(hashes)).filter((one) => one !== undefined);
    const ends = live.map(({ hash, session }) => this.store.end(hash, endedBy(ending, hash, session)));
    const ended = (await Promise.all(ends)).filter(Boolean).length;
    await this.store.announceEnd(hashes);
    for (const { hash, session } of live) await this.unindex(hash, session);
    return ended;
  }

  /** Whether to note the use of a session. */
  isTouchDue({ session, left }: LiveSession): boolean {
    return isTouchDue(this.options, left, this.store.leftOf(session));
  }

  /** Restarts the idle time of a session. */
  async extended(live: LiveSession): Promise<LiveSession> {
    const left = this.store.leftOf(live.session);
    await this.store.extend(live, left);
    return { ...live, left };
  }

  private async endFor(caller: AuditCaller, counted: CountedFor, begun: string): Promise<StoredSession[]> {
    const hashes = await this.accounts.surplus(counted, begun);
    const found = await this.store.load(hashes);
    const reason = `unused the longest, since the account may have ${counted.most ?? 0}`;
    await this.endAll(hashes, { caller, action: 'session.end', reason });
    return found.flatMap((live) => live?.session ?? []);
  }

  private async unindex(hash: string, { saml, accountId }: StoredSession): Promise<void> {
    if (saml) await this.index.remove(saml, hash);
    await this.accounts.remove(accountId, [hash]);
  }

  private async touched(live: LiveSession): Promise<LiveSession> {
    return this.isTouchDue(live) ? this.extended(live) : live;
  }
}
