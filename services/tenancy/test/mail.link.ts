import type { Received } from '@warren/infra/mail';

/** The query of the link in a mail: e-mail, account and token. */
export function linkIn({ source }: Received, path = 'accept_invitation'): Record<string, string> {
  // Quoted-printable (RFC 2045, 6.7): lines broken by `=`, and `=3D` for an equals sign.
  const text = source
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const query = new RegExp(`http://hub\\.test/${path}\\?([^\\s"<]+)`).exec(text)?.[1] ?? '';
  return Object.fromEntries(new URLSearchParams(query.replaceAll('&amp;', '&')));
}
