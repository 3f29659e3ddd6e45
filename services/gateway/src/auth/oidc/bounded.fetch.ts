import { isLoopback } from '@warren/platform/config/loopback';

/** Longest time for a request and its answer, milliseconds. */
export const ANSWER_MS = 5_000;
/** Largest answer of a provider: discovery documents, key sets and tokens are a few kilobytes. */
const MAX_BYTES = 256 * 1024;

/** An answer of a provider that is not taken. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

type Fetch = (url: string, options?: RequestInit) => Promise<Response>;

/**
 * Fetches from a provider: https only (plain http from this machine if `local`), no redirects, at most 5 s and 256 KiB, counted after
 * decompression. The answer has been read in full.
 */
export function boundedFetch(local: boolean): Fetch {
  return async (url, options = {}) => {
    requireSafeUrl(url, local);
    const timeout = AbortSignal.timeout(ANSWER_MS);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    const response = await fetch(url, { ...options, redirect: 'manual', signal });
    const body = await readAtMost(response, MAX_BYTES);
    return new Response(body, { status: statusOf(response), headers: response.headers });
  };
}

/** @throws UnusableAnswer for a URL that is not https, or has credentials */
export function requireSafeUrl(text: string, local: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const safe = url?.protocol === 'https:' || (local && url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !safe || url.username || url.password) {
    throw new UnusableAnswer(
      `expected an https address without credentials (came: ${JSON.stringify(text.slice(0, 200))})`,
    );
  }
  return url;
}

/** Refuses redirects. */
function statusOf({ status, type, url }: Response): number {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400))
    throw new UnusableAnswer(`${url}: expected an answer without a redirect (came: ${status})`);
  return status;
}

/** @returns undefined for an answer without a body */
async function readAtMost({ body, url }: Response, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > most) throw new UnusableAnswer(`${url}: expected at most ${most} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
