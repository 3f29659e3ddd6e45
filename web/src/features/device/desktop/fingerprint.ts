const BYTES = 8;

/** A server key's fingerprint for people: the first bytes of its SHA-256, in hexadecimal. */
export async function fingerprintOf(key: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', key));
  return [...digest.subarray(0, BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join('-');
}
