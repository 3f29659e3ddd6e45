import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../gen/schema.d.ts';

/** The bodies and responses of the API by their names in its description. */
export type Schemas = components['schemas'];

export type WarrenClient = Client<paths>;

export interface WarrenOptions {
  /** Origin of the hub, such as `https://hub.example.com`. */
  hub: string;
  /** An API token. */
  token: string;
  /** Sends the requests, for instance through a proxy. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Creates a client that acts by an API token. */
export function createWarrenClient({ hub, token, fetch }: WarrenOptions): WarrenClient {
  return createFetchClient<paths>({
    baseUrl: hub,
    headers: { authorization: `Bearer ${token}` },
    ...(fetch && { fetch }),
  });
}

/** A call that the hub refused, or did not answer as its description says. */
export class WarrenError extends Error {
  /** @param code what to decide by, such as `not_found` @param retryAfter seconds to wait, with 429 and 503 */
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly retryAfter: number | undefined,
  ) {
    super(message);
    this.name = 'WarrenError';
  }
}

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * Returns the data of a response.
 * @throws WarrenError for a refusal
 */
export async function dataOf<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer;
  if (response.ok) return data as T;
  const { code = 'unknown', message = `HTTP ${response.status}` } = (error ?? {}) as Partial<Schemas['ErrorAnswer']>;
  const wait = response.headers.get('retry-after');
  throw new WarrenError(message, response.status, code, wait === null ? undefined : Number(wait));
}
