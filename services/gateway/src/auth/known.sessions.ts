import { Injectable } from '@nestjs/common';
import { MEMBERS, sessionKey } from '@warren/platform/broker/keys';
import { RedisLink } from '@warren/platform/redis/redis.module';
import type { GetSessionResponse } from '@warren/proto/identity/v1/identity';
import type { ResolveMemberResponse } from '@warren/proto/tenancy/v1/tenancy';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { sessionLookups } from '../http/metrics.ts';

/** Sessions that are kept, 1 to 2 kB each. */
const MAX_KEPT = 10_000;
/** Identity extends a session in use when it is asked for it: at least that often, and before this share of the time left has passed. */
const EXTEND_MS = 10_000;
const EXTEND_SHARE = 0.1;

interface Kept {
  session: GetSessionResponse;
  /** When identity was asked, by `performance.now()`. */
  sessionAt: number;
  member: ResolveMemberResponse;
  memberAt: number;
  version: string;
}

/** What holds for a session now: what is absent has to be asked for. */
export interface Known {
  session: GetSessionResponse | undefined;
  member: ResolveMemberResponse | undefined;
  /** Whether identity has to be asked to extend the session. */
  due: boolean;
  /** Keeps what was asked for after the look. */
  keep(session: GetSessionResponse, member: ResolveMemberResponse): void;
  forget(): void;
}

/**
 * Keeps what identity and tenancy have answered about sessions. Each request reads from Redis whether the session is still there and whether
 * members have changed, so that an ended session and a revoked right end with the next request. The content of a session never changes.
 */
@Injectable()
export class KnownSessions {
  private readonly kept = new LRUCache<string, Kept>({ max: MAX_KEPT });

  constructor(private readonly redis: RedisLink) {}

  /** Looks a session up. Never fails: without Redis nothing is known. */
  async look(secret: string): Promise<Known> {
    // Secrets themselves are not kept.
    const key = hash('sha256', secret, 'base64url');
    const kept = this.kept.get(key);
    // What is asked for after this is of this time at the earliest.
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

  /** @returns the time that a session has left, 0 if it is not known; and the version of members, undefined if there is none */
  private async state(id: string | undefined): Promise<{ leftMs: number; version: string | undefined }> {
    const commands = this.redis.client.pipeline().get(MEMBERS.version);
    if (id) commands.pttl(sessionKey(id));
    const [version, left] = (await commands.exec().catch(() => undefined)) ?? [];
    return { version: (version?.[1] as string | null) ?? undefined, leftMs: Number(left?.[1] ?? 0) };
  }
}

/** Whether it is time to extend a session in use; of many requests at that time, one is the first. */
function isDue(kept: Kept | undefined, leftMs: number, now: number): boolean {
  if (!kept || now - kept.sessionAt < Math.min(EXTEND_MS, leftMs * EXTEND_SHARE)) return false;
  kept.sessionAt = now;
  return true;
}

function count(part: 'session' | 'member', known: object | undefined): void {
  sessionLookups.inc({ part, result: known ? 'hit' : 'miss' });
}
