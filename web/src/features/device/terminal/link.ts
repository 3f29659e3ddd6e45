/** The terminal that an address names; null without one. */
export function linkedTerminal(query: URLSearchParams): string | null {
  const session = query.get('session') ?? '';
  return /^[\w-]{1,64}$/.test(session) ? session : null;
}

/** The address that opens the same terminal for somebody else. */
export const linkTo = (device: string, session: string): string =>
  new URL(`/device/ssh/${device}?session=${encodeURIComponent(session)}`, window.location.origin).href;
