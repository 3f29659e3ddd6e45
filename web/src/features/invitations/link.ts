import type { InvitationLink } from '../../lib/api/types.ts';
import { recall, remember } from '../../lib/storage.ts';

const KEY = 'warren.invitation';
const store = () => sessionStorage;

/**
 * The link of an invitation from the address' query. The session guard redirects here without the token, which the hub does not
 * store; this tab then uses the one it had for the same e-mail before the sign-in. If the token is empty, only the e-mail has it.
 */
export function readLink(query: URLSearchParams): InvitationLink {
  const link = {
    email: query.get('email') ?? '',
    account: query.get('account') ?? '',
    token: query.get('token') ?? '',
  };
  if (link.token) {
    remember(KEY, JSON.stringify(link), store);
    return link;
  }
  const seen = parse(recall(KEY, store));
  return seen && seen.email.toLowerCase() === link.email.toLowerCase() ? seen : link;
}

export const forgetLink = (): void => remember(KEY, null, store);

export const linkQuery = (link: InvitationLink): string => new URLSearchParams({ ...link }).toString();

function parse(text: string | null): InvitationLink | null {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<InvitationLink> | null;
    const { email, account, token } = value ?? {};
    return email && account && token ? { email, account, token } : null;
  } catch {
    return null;
  }
}
