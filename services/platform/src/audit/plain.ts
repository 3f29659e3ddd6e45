const MAX_TEXT = 400;

/**
 * Bounds a text that a browser, a device or a provider chose. Control characters would forge lines when the trail is read in a
 * terminal; PostgreSQL rejects NUL and half a surrogate pair.
 */
export function plainText(text = '', max = MAX_TEXT): string {
  return text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, max)
    .toWellFormed();
}
