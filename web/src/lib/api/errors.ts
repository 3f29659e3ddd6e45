import { messages } from '../messages.ts';

/** An error of the hub as the console meets it: `{statusCode, code, message}` with a message of the form `prefix: text`. */
interface HubError {
  status: number | string;
  data?: { message?: unknown; code?: unknown };
}

const isHubError = (error: unknown): error is HubError =>
  typeof error === 'object' && error !== null && 'status' in error;

/** The HTTP status of a failed call; undefined when no answer came. */
export function statusOf(error: unknown): number | undefined {
  return isHubError(error) && typeof error.status === 'number' ? error.status : undefined;
}

/** Whether the hub refused an id in an address: malformed, unknown, or out of reach. Trying again does not help. */
export const isRefusal = (error: unknown): boolean => [400, 403, 404].includes(statusOf(error) ?? 0);

/** The text of an error of the hub after its prefix (specification, section 8). */
export const withoutPrefix = (message: string): string => message.slice(message.indexOf(': ') + 1).trimStart();

/** What to tell the user about a failed call (specification, section 8): the server's text after its prefix, else why there is none. */
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
