/** Explains an answer that is no success, for people. @param error what the receiver says of it, if that is known to be safe to show */
export function reasonOf(status: number, error = ''): string {
  if (status >= 300 && status < 400) return `The receiver answered with a redirect (${status}), which is not followed.`;
  return error ? `The receiver answered ${status}: ${error}.` : `The receiver answered ${status}.`;
}

/** Milliseconds of a `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3). */
export function waitOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
}
