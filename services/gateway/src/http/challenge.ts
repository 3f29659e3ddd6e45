import { Fault, type FaultCode, type FaultOptions } from '@warren/platform/errors/fault';

/** Errors of requests with a bearer token (RFC 6750, section 3.1). */
type BearerError = 'invalid_request' | 'invalid_token' | 'insufficient_scope';

const SCHEME = 'Bearer realm="Warren"';

/** `WWW-Authenticate` of a response to a request without credentials, which names no error (RFC 6750, section 3). */
export const ASK_FOR_TOKEN = SCHEME;

/** `WWW-Authenticate` of a response to a request whose token is wrong, or allows too little. */
export function challengeOf(error: BearerError, scope: readonly string[] = []): string {
  return `${SCHEME}, error="${error}"${scope.length > 0 ? `, scope="${scope.join(' ')}"` : ''}`;
}

const CODES: Record<BearerError, FaultCode> = {
  invalid_request: 'invalid_argument',
  invalid_token: 'unauthenticated',
  insufficient_scope: 'permission_denied',
};

/** A refusal that is about the token of a request. */
export class TokenRefused extends Fault {
  readonly challenge: string;

  /** @param scope what the token would need */
  constructor(
    error: BearerError,
    message: string,
    { scope = [], ...options }: FaultOptions & { scope?: readonly string[] } = {},
  ) {
    super(CODES[error], message, { subject: 'API token', ...options });
    this.challenge = challengeOf(error, scope);
  }
}
