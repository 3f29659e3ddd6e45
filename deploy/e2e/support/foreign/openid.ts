import type { OpenIdClient } from '@warren/infra/openid';
import { expect, type Page, type Request } from '@playwright/test';
import { Shell } from '../../pages/shell.ts';
import type { ForeignGateways } from './gateways.ts';
import { keptSession, sessionStatus, signInAt, type SignIn } from './sign-in.ts';

/** The hub as a client of one of its providers. */
export type HubClient = Required<OpenIdClient>;

/** Hubs whose people sign in at an OpenID Connect provider that isn't the copy's. */
export interface OpenIdHub {
  gateways: ForeignGateways;
  client: HubClient;
  discovery: Discovery;
}

/** What the tests read in a discovery document. */
export interface Discovery {
  issuer: string;
  authorization_endpoint: string;
  backchannel_logout_supported?: boolean;
}

/** Returns what the hub's documentation says to enter at a provider. */
export function hubClient(hub: string, provider: string): HubClient {
  const at = `${hub}/auth/oidc/${provider}`;
  return {
    id: 'warren',
    secret: 'the secret of the hub at its provider',
    redirectUri: `${at}/callback`,
    logoutUri: `${at}/backchannel-logout`,
    signedOutUri: `${hub}/auth/saml/signed-out`,
  };
}

/** @throws Error if the provider has no discovery document */
export async function discover(issuer: string): Promise<Discovery> {
  const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  if (!answer.ok) throw new Error(`${issuer}: its discovery document answers ${answer.status}`);
  return (await answer.json()) as Discovery;
}

/** Returns what the hub asks the provider for in the browser's next sign-in. */
async function nextRequest(page: Page, { authorization_endpoint: at }: Discovery): Promise<URLSearchParams> {
  const request = await page.waitForRequest((one) => isRequest(one, at));
  return new URL(request.url()).searchParams;
}

const isRequest = (request: Request, at: string) =>
  request.url().startsWith(`${at}?`) && new URL(request.url()).searchParams.has('client_id');

/** Returns what a signed-in browser would bring to the hub if it had asked for a code without PKCE. */
async function withoutPkce(page: Page, { authorization_endpoint: at }: Discovery, asked: URLSearchParams) {
  const query = new URLSearchParams(asked);
  for (const name of ['code_challenge', 'code_challenge_method']) query.delete(name);
  const answer = await page.request.get(`${at}?${query}`, { maxRedirects: 0 });
  const { location = '' } = answer.headers();
  return new URL(location).searchParams;
}

/** Signs a person in, and expects the hub to use PKCE and the provider to refuse a request without it. */
export async function signInWithPkce(page: Page, { gateways, discovery }: OpenIdHub, signIn: SignIn): Promise<void> {
  const asked = nextRequest(page, discovery);
  await signInAt(page, gateways.hub, signIn);
  expect(Object.fromEntries(await asked)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
  const refused = await withoutPkce(page, discovery, await asked);
  expect([refused.get('error'), refused.get('code')]).toEqual(['invalid_request', null]);
}

/** Signs out at the hub, and expects the session to end there and at the provider. */
export async function expectSignOutEverywhere(page: Page, hub: string, { provider, form }: SignIn): Promise<void> {
  const status = await keptSession(page, hub);
  await new Shell(page).signOut();
  await expect(page).toHaveURL(`${hub}/auth/saml/signed-out`);
  expect(await status()).toBe(401);
  await page.goto(`${hub}/auth/saml/login?provider=${provider}`);
  await expect(form.password(page)).toBeVisible();
}

/**
 * Signs a person in, and expects a recent sign-in to need the password again and to replace the session.
 * @param after milliseconds from the sign-in to the recent one
 * @param wanted what the hub sends to the provider, besides `max_age` and `prompt`
 * @param again enters the password at the provider
 */
export async function expectPasswordAgain(
  page: Page,
  { gateways: { hub }, discovery }: OpenIdHub,
  signIn: SignIn,
  { after, wanted, again }: { after: number; wanted: Record<string, string>; again: (page: Page) => Promise<void> },
): Promise<void> {
  await signInAt(page, hub, signIn);
  const signedIn = Date.now();
  await page.goto(`${hub}/auth/saml/login?provider=${signIn.provider}&RelayState=/profile`);
  await expect(page).toHaveURL(`${hub}/profile`);
  const former = await keptSession(page, hub);
  await expect.poll(() => Date.now() - signedIn).toBeGreaterThan(after);
  const asked = nextRequest(page, discovery);
  await page.goto(`${hub}/auth/saml/login?recent=yes&RelayState=/profile`);
  expect(Object.fromEntries(await asked)).toMatchObject({ max_age: '0', prompt: 'login', ...wanted });
  await again(page);
  await expect(page).toHaveURL(`${hub}/profile`);
  expect([await sessionStatus(page, hub), await former()]).toEqual([200, 401]);
}

/** Expects the sign-in doctor to name a client secret that the provider does not accept, for the last refused sign-in. */
export async function expectWrongSecret(page: Page, hub: string, provider: string): Promise<void> {
  await page.goto(`${hub}/sign-in-doctor`);
  const last = page.getByRole('region', { name: 'Refused sign-ins' }).locator(':scope > ul > li').first();
  await expect(last).toContainText(`with ${provider}`);
  await expect(last).toContainText('The provider accepts the hub’s own credentials.');
  await expect(last).toContainText('Correct clientId and the file of clientSecretFile of OIDC_PROVIDERS.');
}
