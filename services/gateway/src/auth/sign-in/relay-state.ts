const MAX_LENGTH = 2_048;
const UNSAFE = /[\\\p{Cc}\s]/u;
const HOME = '/';

/**
 * Returns where to go after a sign-in: a path on this host, else the home page. RelayState passes through other hosts, so it is
 * checked before it is sent and when it comes back.
 */
export function safePath(relayState: unknown): string {
  if (typeof relayState !== 'string' || relayState.length > MAX_LENGTH) return HOME;
  if (!/^\/(?![/\\])/.test(relayState) || UNSAFE.test(relayState)) return HOME;
  const base = 'https://hub.invalid';
  const url = URL.canParse(relayState, base) ? new URL(relayState, base) : undefined;
  if (!url || url.origin !== base || url.pathname.startsWith('//')) return HOME;
  // A path of sign-in or sign-out would loop.
  return url.pathname.startsWith('/auth/') ? HOME : relayState;
}
