/**
 * An error of the network in one line. The errors of Node may hide what happened in a cause, or in the list of one error for
 * each address that was tried.
 */
export function plainError(error: unknown): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return 'no answer in time';
  }
  const inner = (error as { errors?: unknown }).errors;
  if (Array.isArray(inner)) return inner.map(plainError).join('; ');
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  if (cause !== undefined && cause !== null) return plainError(cause);
  return String(message || error);
}
