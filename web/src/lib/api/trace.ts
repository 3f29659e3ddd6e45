/**
 * The header `traceparent` of a call (W3C Trace Context, 3.2): a new trace, so that the hub's work for the call can be found
 * as one. Random ids; nothing of the person or the page.
 */
export function newTrace(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(24))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}
