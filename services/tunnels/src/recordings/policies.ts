import { Injectable, Logger } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { serviceCaller } from '@warren/platform/rpc/caller';
import { InjectRpc } from '@warren/platform/rpc/rpc.module';
import type { RpcClient } from '@warren/platform/rpc/types';
import { Recording } from '@warren/proto/agent/v1/agent';
import { RecordingKind, RecordingPolicy, RecordingsService } from '@warren/proto/audit/v1/recordings';

/** How a session is to be recorded. */
export interface RecordingRule {
  mode: Recording;
  /** Why nothing can be recorded now, for people; empty if it can. */
  problem: string;
}

const ANSWER_MS = 2_000;
const KEPT_S = 30 * 86_400;
const RETRY_S = 2;

const KINDS = { terminal: RecordingKind.TERMINAL, desktop: RecordingKind.DESKTOP } as const;
/** What can be recorded. */
export type RecordableKind = keyof typeof KINDS;

const MODES: Record<RecordingPolicy, Recording | undefined> = {
  [RecordingPolicy.UNSPECIFIED]: undefined,
  [RecordingPolicy.OFF]: Recording.UNSPECIFIED,
  [RecordingPolicy.BEST_EFFORT]: Recording.BEST_EFFORT,
  [RecordingPolicy.REQUIRED]: Recording.REQUIRED,
};

/**
 * Asks audit whether sessions of a device are recorded. While it does not answer, its last answer counts, so that its outage ends no
 * session of an account that records none.
 */
@Injectable()
export class RecordingPolicies {
  private readonly log = new Logger(RecordingPolicies.name);

  constructor(
    @InjectRpc(RecordingsService) private readonly recordings: RpcClient<typeof RecordingsService>,
    private readonly redis: RedisLink,
  ) {}

  /** @throws Fault `unavailable` if audit does not answer, and never did for this device */
  async of(kind: RecordableKind, accountId: string, deviceId: string): Promise<RecordingRule> {
    const key = policyKey(kind, accountId, deviceId);
    try {
      const request = { accountId, deviceId, kind: KINDS[kind] };
      const caller = serviceCaller('tunnels');
      const { policy, problem } = await this.recordings.getRecordingPolicy(caller, request, { timeoutMs: ANSWER_MS });
      const mode = MODES[policy];
      if (mode === undefined) throw new Fault('internal', `expected a recording policy, came ${policy}.`);
      this.redis.client.set(key, mode, 'EX', KEPT_S).catch(() => {});
      return { mode, problem };
    } catch (error) {
      return { mode: await this.last(key, deviceId, error), problem: '' };
    }
  }

  private async last(key: string, deviceId: string, cause: unknown): Promise<Recording> {
    const text = await this.redis.client.get(key).catch(() => null);
    const known = [Recording.UNSPECIFIED, Recording.BEST_EFFORT, Recording.REQUIRED].find(
      (one) => String(one) === text,
    );
    if (known !== undefined) return known;
    this.log.warn({ device: deviceId, err: cause }, 'Whether a device is recorded is not known.');
    const message = 'Whether this session has to be recorded is not known at the moment.';
    throw new Fault('unavailable', message, { cause, retryAfter: RETRY_S });
  }
}

/** With the account: a device that moves is not recorded by the policy of before. */
const policyKey = (kind: RecordableKind, accountId: string, deviceId: string) =>
  `tunnels:recording-policy:${kind}:${accountId}:${deviceId}`;
