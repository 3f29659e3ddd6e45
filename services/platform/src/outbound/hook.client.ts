import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { DeliveryError } from './delivery.error.ts';
import type { Address, Addresses } from './addresses.ts';

export interface Answer {
  status: number;
  /** The value of `Retry-After`. */
  retryAfter: string | undefined;
  /** The first 4 KB of the body. */
  text: string;
}

const TIMEOUT_MS = 10_000;
const MAX_BODY = 4_096;

/** Posts to URLs that people choose, JSON unless a header says otherwise: bounded in time and size, without redirects, to addresses that are allowed. */
export class HookClient {
  constructor(
    private readonly addresses: Pick<Addresses, 'pick'>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** @throws DeliveryError if there is no answer */
  async post(url: URL, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      const address = await orAborted(this.addresses.pick(url), signal);
      return await this.exchange(url, address, body, headers, signal);
    } catch (error) {
      if (error instanceof DeliveryError) throw error;
      if (signal.aborted) throw new DeliveryError(`No answer came within ${this.timeoutMs / 1_000} seconds.`);
      throw new DeliveryError(connectionText(error));
    }
  }

  private exchange(
    url: URL,
    address: Address,
    body: string | Uint8Array,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      signal,
      // Not pooled: the address of a pooled connection was checked for another message.
      agent: false,
      lookup: always(address),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Warren',
        ...headers,
        'content-length': Buffer.byteLength(body),
        accept: '*/*',
      },
    });
    request.on('error', reject);
    request.once('response', (response) => read(response).then(resolve, reject));
    request.end(body);
    return promise;
  }
}

/** Answers each question for an address with the one that was checked. */
export function always({ address, family }: Address): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

/** Reads the beginning of the body, then hangs up. */
async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= MAX_BODY) break;
    }
  } finally {
    response.on('error', () => {});
    response.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_BODY).toString('utf8');
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text };
}

/** Waits for work until a signal aborts. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  return Promise.race([work, promise]);
}

/** Explains a failed connection by its code alone: the text of an error may hold the address or the URL. */
export function connectionText(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (code === 'ECONNREFUSED') return 'The receiver refused the connection.';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'The receiver closed the connection.';
  if (typeof code === 'string' && /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code))
    return `No secure connection is possible (${code}).`;
  return typeof code === 'string' ? `The connection failed (${code}).` : 'The connection failed.';
}
