import type { APIRequestContext, APIResponse } from '@playwright/test';

/** A sign-in response as the identity provider's page would post it. */
export interface SignInAnswer {
  acs: string;
  SAMLResponse: string;
  RelayState: string;
}

const entities: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex: string, dec: string, name: string) => {
    if (hex) return String.fromCodePoint(parseInt(hex, 16));
    return dec ? String.fromCodePoint(Number(dec)) : (entities[name] ?? all);
  });
}

/** What a pattern finds in a page, with its entities resolved. */
export function attribute(html: string, pattern: RegExp): string {
  const found = pattern.exec(html)?.[1];
  if (found === undefined) throw new Error(`sign-in page: expected ${pattern} in ${html.slice(0, 500)}`);
  return decode(found);
}

/** The value of a form's hidden field. */
export const field = (html: string, name: string) => attribute(html, new RegExp(`name="${name}" value="([^"]*)"`));

/**
 * Goes through sign-in up to the moment when the browser would post the identity provider's answer to the hub.
 * @param groups what the provider states, separated by commas
 */
export async function askProvider(
  request: APIRequestContext,
  email: string,
  relayState = '/',
  groups = '',
): Promise<SignInAnswer> {
  const choose = await request.get('/auth/saml/login', { params: { RelayState: relayState } });
  const page = await choose.text();
  const form = { SAMLRequest: field(page, 'SAMLRequest'), RelayState: field(page, 'RelayState'), email, groups };
  const answer = await (await request.post(new URL('/sso', choose.url()).href, { form })).text();
  const acs = attribute(answer, /<form method="post" action="([^"]*)"/);
  return { acs, SAMLResponse: field(answer, 'SAMLResponse'), RelayState: field(answer, 'RelayState') };
}

/** Posts an identity provider's answer to the hub, as its page does; redirects are not followed. */
export function postAnswer(request: APIRequestContext, answer: SignInAnswer): Promise<APIResponse> {
  const { acs, ...form } = answer;
  return request.post(acs, { form, maxRedirects: 0, headers: { origin: 'http://localhost:1' } });
}
