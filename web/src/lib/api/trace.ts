/**
 * Creates the `traceparent` header of a call (W3C Trace Context, 3.2): a new trace with random ids, which identify neither person nor
 * page.
 */
export function newTrace(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}
