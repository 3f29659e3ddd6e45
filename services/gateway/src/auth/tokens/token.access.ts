import { Inject, Injectable } from '@nestjs/common';
import { Fault } from '@warren/platform/errors/fault';
import { RedisLink } from '@warren/platform/redis/redis.module';
import { isApiToken } from '@warren/platform/secrets/api.token';
import { TokenRefused } from '../../http/challenge.ts';
import { clientNetwork } from '../../http/client.address.ts';
import { tokenRequests } from '../../http/metrics.ts';
import { RateCounter } from '../../http/rate.counter.ts';
import type { Rates } from '../../http/rate.limits.ts';
import { requestId, requestOrigin, type SignedInRequest } from '../../http/signed-in.request.ts';
import { HubCookies } from '../session.cookie.ts';
import { SessionReader, type Access } from '../session.reader.ts';

export const TOKEN_RATES = Symbol('TokenRates');

const WINDOW_S = 60;
const OUTCOMES: Record<number, string> = { 400: 'invalid', 401: 'refused', 403: 'forbidden', 429: 'limited' };

/** Resolves the API token of a request to its owner, narrowed to what the token allows. */
@Injectable()
export class TokenAccess {
  private readonly failures: RateCounter | undefined;

  constructor(
    private readonly cookies: HubCookies,
    private readonly sessions: SessionReader,
    redis: RedisLink,
    @Inject(TOKEN_RATES) rates: Rates | false,
  ) {
    const name = 'token-refused';
    this.failures = rates ? new RateCounter(redis, { name, most: rates[name], seconds: WINDOW_S }) : undefined;
  }

  /**
   * @param secret what came with `Authorization: Bearer`
   * @throws TokenRefused for a request with a cookie as well, and for a token that is not in force or whose owner has no access now;
   *   Fault `resource_exhausted` for an address with too many failures
   */
  async read(request: SignedInRequest, secret: string): Promise<Access> {
    count(request);
    if (this.cookies.readSession(request) !== undefined)
      throw new TokenRefused('invalid_request', 'expected a session cookie or a token, not both.');
    try {
      const access = await this.resolve(request, secret);
      if (access.denial) throw new TokenRefused('invalid_token', 'its owner has no access now.');
      return access;
    } catch (error) {
      if (error instanceof TokenRefused || !(error instanceof Fault) || error.code !== 'unauthenticated') throw error;
      throw new TokenRefused('invalid_token', 'it is unknown, expired or revoked.', { cause: error });
    }
  }

  private async resolve(request: SignedInRequest, secret: string): Promise<Access> {
    const client = clientNetwork(request);
    // A token that this gateway knows is looked up nowhere, so it is not counted.
    const look = async <T>(ask: () => Promise<T>): Promise<T> => {
      await this.failures?.count(client, `refused API tokens from ${client}`);
      const found = await ask();
      await this.failures?.takeBack(client);
      return found;
    };
    if (!isApiToken(secret))
      return look(() => Promise.reject(new Fault('unauthenticated', 'the API token is malformed.')));
    return this.sessions.read(secret, requestId(request), false, { from: requestOrigin(request), look });
  }
}

/** Counts a request with a token by its outcome, when it has been answered. */
function count({ res }: SignedInRequest): void {
  res?.once('close', () => {
    const { statusCode } = res;
    tokenRequests.inc({ outcome: OUTCOMES[statusCode] ?? (statusCode < 500 ? 'served' : 'failed') });
  });
}
