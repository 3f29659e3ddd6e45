import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { errors, jwtVerify, type JWK, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { Proof } from '../broker/claims.ts';
import { TUNNELS_CONFIG, type TunnelsConfig } from '../config.ts';
import type { Credential } from './credentials.ts';

/** Tolerated clock skew of a device, seconds. */
const TOLERANCE_S = 60;
const MAX_LIFE_S = 60;
const REMEMBERED_S = MAX_LIFE_S + 2 * TOLERANCE_S;

/** The devices service validates the rest. */
const deviceText = z.string().trim().max(128);

const claims = z.object({
  sub: z.uuid(),
  iat: z.number(),
  exp: z.number(),
  jti: z.string().regex(/^[\w-]{16,64}$/),
  /** The agent's instance id; older agents have none. */
  instance: z.uuid().default(''),
  /** The hardware's serial and model; absent if the agent cannot read a unique serial. */
  serial: deviceText.default(''),
  model: deviceText.default(''),
});

/** The claims of a valid token. */
export interface Verified {
  /** The agent's instance id. */
  instance: string;
  /** The hardware's serial and model; empty if the agent reports none. */
  serial: string;
  model: string;
  proof: Proof;
}

/** A token that was signed by another key than the device's. */
export class ForeignSignature extends Fault {
  constructor(cause: unknown) {
    super('unauthenticated', 'The token is refused: signature verification failed.', { cause });
  }
}

/** Verifies the token that a device signs for each dial (architecture, 'The agent link'): audience, and one minute of validity. */
@Injectable()
export class AgentTokens {
  constructor(@Inject(TUNNELS_CONFIG) private readonly config: TunnelsConfig) {}

  /**
   * @returns the token's claims; the caller checks for replays
   * @throws ForeignSignature before any other problem; Fault `unauthenticated` for an invalid or expired token
   */
  async verify(token: string, deviceId: string, credential: Credential): Promise<Verified> {
    const { sub, iat, exp, jti, instance, serial, model } = await this.read(token, credential);
    if (sub !== deviceId) throw new Fault('unauthenticated', 'The token is for another device.');
    if (exp - iat > MAX_LIFE_S) throw new Fault('unauthenticated', `The token lives ${exp - iat} s; at most 60 s.`);
    return { instance, serial, model, proof: { id: `${deviceId}:${jti}`, seconds: REMEMBERED_S } };
  }

  private async read(token: string, credential: Credential): Promise<z.output<typeof claims>> {
    let payload: JWTPayload;
    try {
      const key: JWK = { kty: 'OKP', crv: 'Ed25519', x: credential.key };
      ({ payload } = await jwtVerify(token, key, {
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
}

function reason(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? cause.message : 'not readable';
}
