import { Injectable } from '@nestjs/common';
import { MEMBERS, sessionKey } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { GetSessionResponse } from '@warren/proto/identity/v1/identity';
import type { ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { sessionLookups } from '../http/metrics.ts';

/** Maximum number of cached sessions, 1 to 2 kB each. */
const MAX_KEPT = 10_000;
/** Identity extends a session when it is read. Reads it at least this often, and before this share of its remaining time has passed. */
const EXTEND_MS = 10_000;
const EXTEND_SHARE = 0.1;

interface Kept {
  session: GetSessionResponse;
  /** When identity was asked last, by `performance.now()`. */
  sessionAt: number;
  member: ResolveMemberResponse;
  memberAt: number;
  version: string;
}

/** The cached answers about a session; absent ones must be requested. */
export interface Known {
  session: GetSessionResponse | undefined;
  member: ResolveMemberResponse | undefined;
  /** Whether identity must extend the session. */
  due: boolean;
  /** Caches answers that were requested after the look-up. */
  keep(session: GetSessionResponse, member: ResolveMemberResponse): void;
  forget(): void;
}

/**
 * Caches answers of identity and tenancy about sessions. Each request checks in Redis that the session exists and that members have not
 * changed, so an ended session and a revoked right take effect with the next request. The content of a session never changes.
 */
@Injectable()
export class KnownSessions {
  private readonly kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

  constructor(private readonly redis: RedisLink) {}

  /** Looks up a session. Never fails: without Redis it finds nothing. */
  async look(secret: string): Promise<Known> {
    // The cache stores no secrets.
    const key = hash('sha256', secret, 'base64url');
    const kept = this.kept.get(key);
    // Answers to later requests are not older than this.
    const at = performance.now();
    const { leftMs, version } = await this.state(kept?.session.id);
    const session = kept && leftMs > 0 ? { ...kept.session, leftMs } : undefined;
    const now = performance.now();
    const holds = version !== undefined && kept?.version === version && now - kept.memberAt < MEMBERS.keptMs;
    const member = session && holds ? kept.member : undefined;
    count('session', session);
    count('member', member);
    const due = session !== undefined && isDue(kept, leftMs, now);
    const times = { sessionAt: session && kept ? kept.sessionAt : at, memberAt: member && kept ? kept.memberAt : at };
    return { session, member, due, ...this.keeping(key, version, times) };
  }

  private keeping(
    key: string,
    version: string | undefined,
    times: Pick<Kept, 'sessionAt' | 'memberAt'>,
  ): Pick<Known, 'keep' | 'forget'> {
    let forgotten = false;
    return {
      keep: (session, member) => {
        if (version !== undefined && !forgotten) this.kept.set(key, { session, member, version, ...times });
      },
      forget: () => {
        forgotten = true;
        this.kept.delete(key);
      },
    };
  }

  /** @returns the remaining time of a session, 0 if it is unknown; and the version of members, undefined without one */
  private async state(id: string | undefined): Promise<{ leftMs: number; version: string | undefined }> {
    const commands = this.redis.client.pipeline().get(MEMBERS.version);
    if (id) commands.pttl(sessionKey(id));
    const [version, left] = (await commands.exec().catch(() => undefined)) ?? [];
    return { version: (version?.[1] as string | null) ?? undefined, leftMs: Number(left?.[1] ?? 0) };
  }
}

/** Tells whether to extend a session; true for one of several concurrent requests. */
function isDue(kept: Kept | undefined, leftMs: number, now: number): boolean {
  if (!kept || now - kept.sessionAt < Math.min(EXTEND_MS, leftMs * EXTEND_SHARE)) return false;
  kept.sessionAt = now;
  return true;
}

function count(part: 'session' | 'member', known: object | undefined): void {
  sessionLookups.inc({ part, result: known ? 'hit' : 'miss' });
}
