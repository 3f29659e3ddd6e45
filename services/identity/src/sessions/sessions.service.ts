import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { StoredSessionSchema, type SamlIdentity, type StoredSession } from '@warren/proto/identity/v1/identity';
import { plain, type Origin } from '../audit/audit.event.ts';
import { hashOf, newSecret } from '../secrets/secret.ts';
import { isTouchDue, SESSION_OPTIONS, timeLeft, type SessionOptions } from './session.options.ts';
import { AccountSessions, type CountedFor } from './account.sessions.ts';
import { SessionIndex } from './session.index.ts';
import { SessionStore, type LiveSession } from './session.store.ts';

const ENDED = 'the session is not there or has ended; sign in again.';

/** What the provider told of the sign-in itself. */
type SignInProof = Partial<Pick<StoredSession, 'authTime' | 'idToken'>>;

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
    @Inject(SESSION_OPTIONS) private readonly options: SessionOptions,
  ) {}

  /**
   * Opens a session. Ends the e-mail's oldest sessions beyond a maximum, and those of the account that are unused for the longest beyond
   * its quota.
   * @returns also the sessions that were ended for the quota
   */
  async open(
    identityId: string,
    saml: SamlIdentity,
    { remoteAddress, userAgent }: Origin = {},
    counted: CountedFor = { accountId: '' },
    proof: SignInProof = {},
  ): Promise<{ secret: string; expires: Date; ended: StoredSession[] }> {
    const { accountId } = counted;
    const now = Date.now();
    const secret = newSecret();
    const hash = hashOf(secret);
    const origin = { remoteAddress: plain(remoteAddress), userAgent: plain(userAgent) };
    const session = create(StoredSessionSchema, {
      identityId,
      saml,
      created: timestampFromMs(now),
      ...origin,
      accountId,
      ...(proof.authTime && { authTime: proof.authTime }),
      idToken: proof.idToken ?? '',
    });
    const end = now + this.options.absoluteMs;
    // The index first: a session outside the index could not be ended by its user.
    const surplus = await this.index.add(saml, hash, end, now);
    if (accountId !== '') await this.accounts.add(accountId, hash, end);
    await this.store.save(hash, session);
    await this.drop(surplus);
    const ended = accountId === '' ? [] : await this.endFor(counted, hash);
    return { secret, expires: new Date(end), ended };
  }

  /**
   * Returns the session of a secret; `touch` restarts its idle time.
   * @throws Fault `unauthenticated`
   */
  async get(secret: string, { touch }: { touch: boolean }): Promise<LiveSession> {
    const [live] = await this.store.load([hashOf(secret)]);
    if (!live) throw new Fault('unauthenticated', ENDED);
    return touch ? this.touched(live) : live;
  }

  /** Ends a session. @returns the ended session; undefined without one */
  async end(secret: string): Promise<StoredSession | undefined> {
    const hash = hashOf(secret);
    const session = await this.store.take(hash);
    if (!session) return undefined;
    await this.store.announceEnd([hash]);
    await this.unindex(hash, session);
    return session;
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
  async endByEmail(email: string): Promise<number> {
    return this.endAll(await this.index.byEmail(email));
  }

  /**
   * Ends the sessions of a subject: one when `sessionIndex` names it, all of them when it is empty. Without a `nameId`, ends those that
   * `sessionIndex` names.
   */
  async endBySubject(provider: string, nameId: string, sessionIndex: string): Promise<number> {
    if (!nameId) return this.endAll(await this.index.bySessionIndex(provider, sessionIndex));
    const hashes = await this.index.bySubject(provider, nameId);
    if (!sessionIndex) return this.endAll(hashes);
    const found = await this.store.load(hashes);
    return this.endAll(hashes.filter((_, at) => found[at]?.session.saml?.sessionIndex === sessionIndex));
  }

  /** @param hashes of sessions @returns how many there were */
  async endAll(hashes: string[]): Promise<number> {
    const found = await this.store.load(hashes);
    const ended = await this.drop(hashes);
    for (const live of found) if (live) await this.unindex(live.hash, live.session);
    return ended;
  }

  private async endFor(counted: CountedFor, begun: string): Promise<StoredSession[]> {
    const hashes = await this.accounts.surplus(counted, begun);
    const found = await this.store.load(hashes);
    await this.endAll(hashes);
    return found.flatMap((live) => live?.session ?? []);
  }

  private async unindex(hash: string, { saml, accountId }: StoredSession): Promise<void> {
    if (saml) await this.index.remove(saml, hash);
    await this.accounts.remove(accountId, [hash]);
  }

  private async touched(live: LiveSession): Promise<LiveSession> {
    const left = timeLeft(this.options, live.created, Date.now());
    if (!isTouchDue(this.options, live.left, left)) return live;
    await this.store.extend(live.hash, left);
    return { ...live, left };
  }

  private async drop(hashes: string[]): Promise<number> {
    const ended = await this.store.remove(hashes);
    await this.store.announceEnd(hashes);
    return ended;
  }
}

/** The public id of a session. The hash stays internal: it identifies the session between services. */
function idOf(hash: string): string {
  return hashOf('session id', hash).slice(0, 32);
}
