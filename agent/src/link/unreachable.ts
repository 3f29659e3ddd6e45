import https from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { Unreachable, type Step } from './plain.ts';
import { routeTo } from './route.ts';

const TIMEOUT_MS = 10_000;
/** A clock difference below this, in milliseconds, does not explain the dates of a certificate. */
const APART_MS = 20_000;

/** The hub's certificate seems invalid because this device's clock is wrong. */
export class ClockWrong extends Unreachable {
  override name = 'ClockWrong';

  /** The clock's offset; the message adds what to do. */
  readonly finding: string;

  constructor(finding: string, codes: string[]) {
    super(`clock: ${finding}: set it, for example by timedatectl set-ntp true`, 'clock', codes);
    this.finding = finding;
  }
}

/**
 * Explains why the hub is unreachable, in one line that starts with the failed step. If a certificate's dates are the problem,
 * compares clocks with the hub.
 * @param at the dial's current step
 * @returns ClockWrong when this device's clock is the cause; never with the first error as its cause, which may contain request data
 */
export async function whyUnreachable(error: unknown, hub: string, at: Step = 'connection'): Promise<Unreachable> {
  const found = Unreachable.of(error, at);
  const code = found.codes.find((one) => one === 'CERT_NOT_YET_VALID' || one === 'CERT_HAS_EXPIRED');
  if (code === undefined) return found;
  const theirs = await timeOf(hub).catch(() => NaN);
  if (Number.isNaN(theirs)) return found;
  const early = code === 'CERT_NOT_YET_VALID';
  const ahead = Date.now() - theirs;
  if (early ? ahead > -APART_MS : ahead < APART_MS)
    return new Unreachable(
      `TLS: the certificate ${early ? 'is not valid yet' : 'has expired'}, by the hub's clock too`,
      'TLS',
      found.codes,
      { clocksAgree: true },
    );
  const direction = ahead < 0 ? 'behind' : 'ahead of';
  return new ClockWrong(
    `the clock of this device is ${inWords(Math.abs(ahead))} ${direction} the hub's ` +
      `(${new Date(theirs).toUTCString()}), so its certificate seems not to be valid`,
    found.codes,
  );
}

/** Reads the hub's time or, without it, the start of its certificate. It is not authenticated, so it only serves the explanation. */
async function timeOf(hub: string): Promise<number> {
  const request = https.request(new URL('/', hub), {
    method: 'HEAD',
    agent: routeTo(hub).agent,
    // The certificate is known to be invalid. Nothing secret is sent, and the response is not trusted.
    rejectUnauthorized: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.on('error', reject);
      request.end();
    });
    return Date.parse(response.headers.date ?? (response.socket as TLSSocket).getPeerCertificate().valid_from);
  } finally {
    request.destroy();
  }
}

const UNITS: [string, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** Formats milliseconds in the largest unit with a count of 2 or more: `3 days`, `47 hours`. */
function inWords(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= 2 * size) ?? ['second', 1000];
  return `${Math.floor(ms / size)} ${unit}s`;
}
