import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import type { Credential } from './credentials.ts';

/** How far a device's clock may be off, seconds. */
const TOLERANCE_S = 60;
const MAX_LIFE_S = 60;

const claims = z.object({
  sub: z.uuid(),
  iat: z.number(),
  exp: z.number(),
  jti: z.string().regex(/^[\w-]{16,64}$/),
  /** Of the agent's process; agents of before have none. */
  instance: z.uuid().default(''),
});

/** A token that another key has signed than the one it was held against. */
export class ForeignSignature extends Fault {
  constructor(cause: unknown) {
    super('unauthenticated', 'The token is refused: signature verification failed.', { cause });
  }
}

/** Verifies the token that a device signs for each dial (architecture, 'The agent link'): audience, a minute's life, used once. */
@Injectable()
export class AgentTokens {
  constructor(
    private readonly redis: RedisLink,
    @Inject(TUNNELS_CONFIG) private readonly config: TunnelsConfig,
  ) {}

  /**
   * @returns what else the token says: the agent's process
   * @throws ForeignSignature before anything else is wrong with it; Fault `unauthenticated` for a token that is wrong, late or used
   *   before, `unavailable` when Redis can't say whether it was used
   */
  async verify(token: string, deviceId: string, credential: Credential): Promise<{ instance: string }> {
    const { sub, iat, exp, jti, instance } = await this.read(token, credential);
    if (sub !== deviceId) throw new Fault('unauthenticated', 'The token is for another device.');
    if (exp - iat > MAX_LIFE_S) throw new Fault('unauthenticated', `The token lives ${exp - iat} s; at most 60 s.`);
    if (!(await this.firstUse(deviceId, jti))) throw new Fault('unauthenticated', 'The token was used before.');
    return { instance };
  }

  private async read(token: string, credential: Credential): Promise<z.output<typeof claims>> {
    let payload: JWTPayload;
    try {
      ({ payload } = await jwtVerify(token, credential.key, {
        algorithms: ['EdDSA'],
        audience: this.config.HUB_URL,
        clockTolerance: TOLERANCE_S,
        maxTokenAge: MAX_LIFE_S,
      }));
    } catch (cause) {
      if (cause instanceof errors.JWSSignatureVerificationFailed) throw new ForeignSignature(cause);
      throw new Fault('unauthenticated', `The token is refused: ${reason(cause)}.`, { cause });
    }
    const parsed = claims.safeParse(payload);
    if (!parsed.success) throw new Fault('unauthenticated', 'The token lacks sub, iat, exp or jti.');
    return parsed.data;
  }

  private async firstUse(deviceId: string, jti: string): Promise<boolean> {
    const seconds = MAX_LIFE_S + 2 * TOLERANCE_S;
    try {
      return (await this.redis.client.set(`agent-jti:${deviceId}:${jti}`, '1', 'EX', seconds, 'NX')) === 'OK';
    } catch (cause) {
      throw new Fault('unavailable', 'The directory of devices does not answer.', { cause, retryAfter: 2 });
    }
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? cause.message : 'not readable';
}
