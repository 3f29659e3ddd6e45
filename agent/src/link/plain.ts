/** The steps of a dial, in order. */
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

/** The hub did not answer; the message starts with the step that failed. */
export class Unreachable extends Error {
  override name = 'Unreachable';
  readonly step: Step;
  /** Codes of the underlying errors, one for each address that was tried. */
  readonly codes: string[];
  /** The step timed out. */
  readonly silent: boolean;
  /** The certificate's dates are also wrong by the hub's clock. */
  readonly clocksAgree: boolean;

  constructor(message: string, step: Step, codes: string[], { silent = false, clocksAgree = false } = {}) {
    super(message);
    this.step = step;
    this.codes = codes;
    this.silent = silent;
    this.clocksAgree = clocksAgree;
  }

  /** @param at the dial's current step */
  static of(error: unknown, at: Step): Unreachable {
    if (error instanceof Unreachable) return error;
    const found = findingsOf(error, at);
    const lines = found.map(({ step, text }) => (step ? `${step}: ${text}` : text));
    const message = [...new Set(lines)].join('; ');
    const silent = found.at(-1)?.text === SILENT;
    return new Unreachable(message, found[0]?.step ?? at, codesOf(error), { silent });
  }
}

function codesOf(error: unknown): string[] {
  const { errors, cause, code } = error as { errors?: unknown; cause?: unknown; code?: unknown };
  if (Array.isArray(errors)) return errors.flatMap(codesOf);
  if (cause !== undefined && cause !== null) return codesOf(cause);
  return typeof code === 'string' ? [code] : [];
}

/** Possible in any step with a connection. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

const SILENT = 'no answer in time';

/** Describes the failed step in words; names no step if it is unknown. */
interface Finding {
  step?: Step;
  text: string;
}

/**
 * Describes a network error: `nobody knows this name (getaddrinfo ENOTFOUND hub)`. Node may hide the reason in `cause`, or in a list
 * with one error for each address that was tried.
 * @param at the dial's current step, which a timeout or a reset does not name
 */
function findingsOf(error: unknown, at: Step): Finding[] {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return [{ step: at, text: SILENT }];
  const { errors, message, cause, code } = error as {
    errors?: unknown;
    message?: unknown;
    cause?: unknown;
    code?: unknown;
  };
  if (Array.isArray(errors)) return errors.flatMap((one) => findingsOf(one, at));
  if (cause !== undefined && cause !== null) return findingsOf(cause, at);
  const text = String(message || error);
  const known = STEPS[String(code)];
  if (known) return [{ step: CUT.has(String(code)) ? at : known[0], text: `${known[1]} (${text})` }];
  // OpenSSL has many codes for certificate errors.
  return [String(code).startsWith('ERR_SSL') ? { step: 'TLS', text } : { text }];
}
