const MAX_LENGTH = 200;

/**
 * Explains a failed mail in one line for its sender: with the mail server's answer if there is one, and without internal
 * addresses and ports.
 */
export function failureText(error: unknown): string {
  const { code, response } = (error ?? {}) as { code?: unknown; response?: unknown };
  if (code === 'EAUTH') return 'The mail server does not let the hub in.';
  if (code === 'ETLS') return 'The mail server offers no secure connection.';
  if (typeof response === 'string' && response !== '') return `The mail server says: ${oneLine(response)}`;
  return 'The mail server does not answer.';
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
