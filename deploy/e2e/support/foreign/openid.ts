import type { OpenIdClient } from '@warren/infra/openid';
import { expect, type Page, type Request } from '@playwright/test';
import type { ForeignGateways } from './gateways.ts';

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
export async function nextRequest(page: Page, { authorization_endpoint: at }: Discovery): Promise<URLSearchParams> {
  const request = await page.waitForRequest((one) => isRequest(one, at));
  return new URL(request.url()).searchParams;
}

const isRequest = (request: Request, at: string) =>
  request.url().startsWith(`${at}?`) && new URL(request.url()).searchParams.has('client_id');

/** Returns what a signed-in browser would bring to the hub if it had asked for a code without PKCE. */
export async function withoutPkce(page: Page, { authorization_endpoint: at }: Discovery, asked: URLSearchParams) {
  const query = new URLSearchParams(asked);
  for (const name of ['code_challenge', 'code_challenge_method']) query.delete(name);
  const answer = await page.request.get(`${at}?${query}`, { maxRedirects: 0 });
  const { location = '' } = answer.headers();
  return new URL(location).searchParams;
}

/** Expects the sign-in doctor to name a client secret that the provider does not accept, for the last refused sign-in. */
export async function expectWrongSecret(page: Page, hub: string, provider: string): Promise<void> {
  await page.goto(`${hub}/sign-in-doctor`);
  const last = page.getByRole('region', { name: 'Refused sign-ins' }).locator(':scope > ul > li').first();
  await expect(last).toContainText(`with ${provider}`);
  await expect(last).toContainText('The provider accepts the hub’s own credentials.');
  await expect(last).toContainText('Correct clientId and the file of clientSecretFile of OIDC_PROVIDERS.');
}
