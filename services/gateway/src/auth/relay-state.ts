const MAX_LENGTH = 2_048;
const UNSAFE = /[\\\p{Cc}\s]/u;
const HOME = '/';

/**
 * Where to go after a sign-in: a path on this host, or the home page for everything else. RelayState passes through other
 * hosts, so what comes back is checked as strictly as what came first.
 */
export function safePath(relayState: unknown): string {
  if (typeof relayState !== 'string' || relayState.length > MAX_LENGTH) return HOME;
  if (!/^\/(?![/\\])/.test(relayState) || UNSAFE.test(relayState)) return HOME;
  const base = 'https://hub.invalid';
  const url = URL.canParse(relayState, base) ? new URL(relayState, base) : undefined;
  if (!url || url.origin !== base || url.pathname.startsWith('//')) return HOME;
  // Back into signing in or out would go round in a circle.
  return url.pathname.startsWith('/auth/') ? HOME : relayState;
}
