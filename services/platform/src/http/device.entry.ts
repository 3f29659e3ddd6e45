import { hash } from 'node:crypto';

/** Below this path of a device's host the hub answers; the device never sees such a request. */
export const ENTRY = '/.warren/enter';

/** A secret of a browser: 256 bits as base64url. */
export const BROWSER_SECRET = /^[\w-]{43}$/;

/** The state of a ticket for a frame, from the secret of the page that shows it; never the state of a visit with the same secret. */
export function frameState(secret: string): string {
  return hash('sha256', `frame ${secret}`);
}
