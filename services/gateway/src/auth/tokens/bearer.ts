import type { IncomingHttpHeaders } from 'node:http';

const BEARER = /^Bearer(?: +(.*))?$/i;

/**
 * Reads the token of `Authorization: Bearer` (RFC 6750, section 2.1). Other schemes are those of a proxy in front.
 * @returns undefined without the scheme, and an empty text without a token
 */
export function bearerOf({ authorization = '' }: Pick<IncomingHttpHeaders, 'authorization'>): string | undefined {
  const match = BEARER.exec(authorization.trim());
  return match ? (match[1] ?? '').trim() : undefined;
}
