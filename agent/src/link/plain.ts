/** What has to work on the way to the hub, in this order. */
export type Step = 'name' | 'connection' | 'proxy' | 'TLS' | 'clock' | 'upgrade' | 'key';

const STEPS: Readonly<Record<string, [Step, string]>> = {
  ENOTFOUND: ['name', 'nobody knows this name'],
  EAI_AGAIN: ['name', 'no name server answers'],
  ECONNREFUSED: ['connection', 'nothing listens there'],
  ECONNRESET: ['connection', 'it was cut off'],
  EHOSTUNREACH: ['connection', 'no way to that host'],
  ENETUNREACH: ['connection', 'this device has no way to that network'],
  ENETDOWN: ['connection', 'the network of this device is down'],
  ETIMEDOUT: ['connection', 'no answer in time'],
  EPIPE: ['connection', 'it was cut off'],
  CERT_HAS_EXPIRED: ['TLS', 'the certificate has expired, or the clock of this device is ahead'],
  CERT_NOT_YET_VALID: ['TLS', 'the certificate is not valid yet, or the clock of this device is behind'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['TLS', 'the certificate is self-signed; name its authority by WARREN_CA'],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'TLS',
    'the certificate is of a private authority; add it to those of this system, or name it by WARREN_CA',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'TLS',
    'the certificate is of an unknown authority; add it to those of this system, or name it by WARREN_CA',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'TLS',
    'the certificate is of an unknown authority; add it to those of this system, or name it by WARREN_CA',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['TLS', 'the certificate is for another name'],
  EPROTO: ['TLS', 'the other side does not speak TLS'],
};

const NAMES: ReadonlySet<string> = new Set<Step>(['name', 'connection', 'proxy', 'TLS', 'clock', 'upgrade', 'key']);

/** The hub did not answer; the message names the step that failed in front. */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly step: Step;
  /** Codes of the errors behind it, one for each address that was tried. */
  readonly codes: string[];

  constructor(message: string, step: Step, codes: string[]) {
    super(message);
    this.step = step;
    this.codes = codes;
  }

  /** @param at the step that the dial was at */
  static of(error: unknown, at: Step): Unreachable {
    if (error instanceof Unreachable) return error;
    const message = plainError(error, at);
    const [named = ''] = message.split(':', 1);
    return new Unreachable(message, NAMES.has(named) ? (named as Step) : at, codesOf(error));
  }
}

function codesOf(error: unknown): string[] {
  const { errors, cause, code } = error as { errors?: unknown; cause?: unknown; code?: unknown };
  if (Array.isArray(errors)) return errors.flatMap(codesOf);
  if (cause !== undefined && cause !== null) return codesOf(cause);
  return typeof code === 'string' ? [code] : [];
}

/** Happen in any step once there is a connection. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * An error of the network in one line, with the step that failed in front: `name: nobody knows this name (getaddrinfo ENOTFOUND
 * hub)`. The errors of Node may hide what happened in a cause, or in the list of one error for each address that was tried.
 * @param at the step that the dial was at, which silence and a cut connection do not name
 */
function plainError(error: unknown, at: Step = 'connection'): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return `${at}: no answer in time`;
  }
  const inner = (error as { errors?: unknown }).errors;
  if (Array.isArray(inner)) return [...new Set(inner.map((one) => plainError(one, at)))].join('; ');
  const { message, cause, code } = error as { message?: unknown; cause?: unknown; code?: unknown };
  if (cause !== undefined && cause !== null) return plainError(cause, at);
  const text = String(message || error);
  const known = STEPS[String(code)];
  if (known) return `${CUT.has(String(code)) ? at : known[0]}: ${known[1]} (${text})`;
  // OpenSSL has a code for each of its many complaints.
  return String(code).startsWith('ERR_SSL') ? `TLS: ${text}` : text;
}
