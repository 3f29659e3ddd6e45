import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
/** Characters of a URL's end that people see. */
const SHOWN = 4;

/** Creates a signing secret, as Standard Webhooks writes it. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Returns what people see of a URL: its origin and its last characters. */
export function shownUrl(url: string): string {
  const { origin, href } = new URL(url);
  const rest = href.slice(origin.length + 1);
  return rest.length > 2 * SHOWN ? `${origin}/…${rest.slice(-SHOWN)}` : `${origin}/…`;
}

/** For how long a replaced secret still signs, beside the new one. */
export const FORMER_SECRET_HOURS = 24;

/**
 * Signs a body, and returns its headers: Standard Webhooks 1.0.0, HMAC-SHA256 over `id.timestamp.body`.
 * @param secrets each makes a signature, the present one first: during rotation a receiver accepts either
 */
export function signatureHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  ...secrets: readonly string[]
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
