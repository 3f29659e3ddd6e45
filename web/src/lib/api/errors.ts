import { messages } from '../messages.ts';

/** An error response of the hub: `{statusCode, code, message}`, with a message `prefix: text`. */
interface HubError {
  status: number | string;
  data?: { message?: unknown; code?: unknown };
}

const isHubError = (error: unknown): error is HubError =>
  typeof error === 'object' && error !== null && 'status' in error;

/** Returns the HTTP status of a failed call; undefined without a response. */
export function statusOf(error: unknown): number | undefined {
  return isHubError(error) && typeof error.status === 'number' ? error.status : undefined;
}

/** Whether a retry may succeed: the hub was unreachable, failing or busy. */
export const isPassing = (status: number | undefined): boolean =>
  status === undefined || status >= 500 || status === 429;

/** Tells whether the hub refused an id in the URL: malformed, unknown, or not visible. Retrying does not help. */
export const isRefusal = (error: unknown): boolean => [400, 403, 404].includes(statusOf(error) ?? 0);

/** Returns the text of an error of the hub after its prefix (specification, section 8). */
export const withoutPrefix = (message: string): string => message.slice(message.indexOf(': ') + 1).trimStart();

/** Returns the text for the user about a failed call (specification, section 8): the hub's text after its prefix, else the reason. */
export function errorText(error: unknown, fallback?: string): string {
  if (!isHubError(error)) {
    const said = (error as Partial<Error> | undefined)?.message;
    return said ? messages.common.failed(said) : (fallback ?? messages.common.failed(String(error)));
  }
  const text = error.data?.message;
  if (typeof text === 'string' && text !== '') return withoutPrefix(text);
  if (error.status === 'FETCH_ERROR' || error.status === 'TIMEOUT_ERROR') return messages.common.noResponse;
  return fallback ?? messages.common.failed(String(error.status));
}
