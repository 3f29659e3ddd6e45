import { errors } from 'jose';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { SignInRefused, type RefusalKind, type RefusalOptions } from '../refusal/sign-in.refused.ts';
import { UnusableAnswer } from './bounded.fetch.ts';
import { reasonOf } from './oidc.provider.ts';

/** Longest text of a provider in a reason. */
const MAX_TEXT = 300;

/** Kinds of refusal by the claim of an ID token that does not fit. */
const CLAIMS: Record<string, RefusalKind> = {
  iss: 'address',
  aud: 'address',
  azp: 'address',
  nonce: 'request',
  exp: 'time',
  iat: 'time',
  nbf: 'time',
  auth_time: 'time',
};
/** Kinds of refusal by the error of the token endpoint (RFC 6749, section 5.2). */
const TOKEN_ERRORS: Record<string, RefusalKind> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_grant: 'request',
};
const JOSE_ERRORS: Record<string, RefusalKind> = {
  [errors.JWKSNoMatchingKey.code]: 'certificate',
  [errors.JWKSMultipleMatchingKeys.code]: 'certificate',
  [errors.JWSSignatureVerificationFailed.code]: 'altered',
  [errors.JOSEAlgNotAllowed.code]: 'algorithm',
  [errors.JOSENotSupported.code]: 'algorithm',
  [errors.JWTExpired.code]: 'time',
  [errors.JWKSTimeout.code]: 'unreachable',
};

/** Turns what the libraries say of an answer into a refusal. Tokens, codes and secrets don't get into it. */
export function refusalOf(error: unknown, provider: string): unknown {
  const told = explained(error);
  if (!told) return error;
  const { reason, ...options } = told;
  return new SignInRefused(reason, { provider, cause: error, ...options });
}

type Told = RefusalOptions & { reason: string };

function explained(error: unknown): Told | undefined {
  if (error instanceof AuthorizationResponseError) return status(error);
  if (error instanceof ResponseBodyError) {
    const reason = `token endpoint: ${short(error.error)} (${short(error.error_description ?? '')})`;
    return { reason, kind: TOKEN_ERRORS[error.error] ?? 'other', details: { httpStatus: error.status } };
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return { reason: 'the provider does not accept the credentials of the hub', kind: 'client' };
  if (error instanceof errors.JOSEError) return jose(error);
  if (error instanceof UnusableAnswer || error instanceof TypeError || error instanceof DOMException)
    return { reason: `no usable answer: ${short(reasonOf(error))}`, kind: 'unreachable' };
  return error instanceof ClientError ? client(error) : undefined;
}

function status({ error, error_description: text = '' }: AuthorizationResponseError): Told {
  const said = short(text);
  return { reason: `status: ${short(error)}${said ? ` (${said})` : ''}`, kind: 'status', said };
}

function jose(error: errors.JOSEError): Told {
  const { code, message } = error;
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : undefined;
  const kind = (claim === undefined ? JOSE_ERRORS[code] : CLAIMS[claim]) ?? 'other';
  return { reason: `signature or claims: ${short(message)}`, kind };
}

function client(error: ClientError): Told {
  const reason = short(reasonOf(error));
  if (/^OAUTH_(TIMEOUT|ABORT)$/.test(error.code ?? '')) return { reason: `no answer: ${reason}`, kind: 'unreachable' };
  const { claim, details } = comparedIn(error);
  if (claim !== undefined) return { reason: `${claim}: ${reason}`, kind: CLAIMS[claim] ?? 'other', details };
  if (/"alg"/.test(reason)) return { reason, kind: 'algorithm' };
  if (/"iss"/.test(reason)) return { reason, kind: 'address', details: receivedIssuer(error) };
  if (/"state"|authorization code/.test(reason)) return { reason, kind: 'request' };
  return { reason, kind: 'unreadable' };
}

/** Finds the claim that does not fit, with what came and what was expected. A nonce is not shown. */
function comparedIn(error: ClientError): { claim?: string; details: Record<string, unknown> } {
  const { cause } = (error.cause ?? {}) as {
    cause?: { claim?: string; claims?: Record<string, unknown>; expected?: unknown };
  };
  const { claim, claims = {}, expected } = cause ?? {};
  if (claim === undefined) return { details: {} };
  if (claim === 'nonce') return { claim, details: {} };
  const seconds = CLAIMS[claim] === 'time' ? { clockDifferenceMs: differenceMs(claims['iat']) } : {};
  return { claim, details: { claim, received: shown(claims[claim]), expected: shown(expected), ...seconds } };
}

function receivedIssuer(error: ClientError): Record<string, unknown> {
  const { cause } = (error.cause ?? {}) as { cause?: { expected?: unknown; parameters?: URLSearchParams } };
  return { expectedIssuer: shown(cause?.expected), receivedIssuer: short(cause?.parameters?.get('iss') ?? '') };
}

function differenceMs(issuedAt: unknown): number | undefined {
  return typeof issuedAt === 'number' ? issuedAt * 1_000 - Date.now() : undefined;
}

function shown(value: unknown): string | number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  return short(typeof value === 'string' ? value : JSON.stringify(value));
}

function short(text: string): string {
  return text.slice(0, MAX_TEXT);
}
