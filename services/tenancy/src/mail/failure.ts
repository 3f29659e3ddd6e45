const MAX_LENGTH = 200;

/**
 * Why a mail is not out, in a line for those who sent it: the mail server's own words where it said any, and nothing of
 * addresses and ports inside.
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
