import type { APIRequestContext } from '@playwright/test';
import { attribute, field, type SignInAnswer } from '../saml.ts';

/** Goes through a sign-in at SimpleSAMLphp up to the moment when the browser would post the answer to the hub. */
export async function askSimpleSaml(
  request: APIRequestContext,
  hub: string,
  { provider, email }: { provider: string; email: string },
): Promise<SignInAnswer> {
  const asked = await request.get(`${hub}/auth/saml/login`, { params: { provider, RelayState: '/profile' } });
  const page = await asked.text();
  // Whom it knows already is sent on at once.
  const answer = page.includes('name="SAMLResponse"') ? page : await signIn(request, asked.url(), page, email);
  const acs = attribute(answer, /<form method="post"[^>]*action="([^"]*)"/);
  return { acs, SAMLResponse: field(answer, 'SAMLResponse'), RelayState: field(answer, 'RelayState') };
}

async function signIn(request: APIRequestContext, url: string, page: string, email: string): Promise<string> {
  const form = { AuthState: field(page, 'AuthState'), username: email, password: 'secret' };
  return (await request.post(url, { form })).text();
}
