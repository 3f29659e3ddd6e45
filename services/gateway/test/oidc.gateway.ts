import { OpenIdProvider } from '@warren/infra/openid';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HUB, type Answer } from './gateway.ts';
import { SamlGateway } from './saml.gateway.ts';
import type { TestIdp } from './saml.idp.ts';

const SECRET = 'a secret of the hub at its provider, for tests';

/** Cookies of an answer, as a browser sends them back. */
export function cookiesOf({ headers }: Answer): string {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/** A provider for a hub's provider id. */
export function startProvider(id: string, options: { claimsInIdToken?: boolean } = {}): Promise<OpenIdProvider> {
  const at = `${HUB}/auth/oidc/${id}`;
  const client = {
    id: 'warren',
    secret: SECRET,
    redirectUri: `${at}/callback`,
    signedOutUri: `${HUB}/auth/saml/signed-out`,
  };
  return OpenIdProvider.start({ ...client, logoutUri: `${at}/backchannel-logout` }, options);
}

/** A gateway with OpenID Connect providers, whose identity service is a `SamlGateway`'s. */
export class OidcGateway {
  private constructor(
    readonly hub: SamlGateway,
    private readonly folder: string,
  ) {}

  /** @param own what providers have besides, by their ids */
  static async start(
    providers: Record<string, OpenIdProvider>,
    own: Record<string, object> = {},
    saml: Record<string, TestIdp> = {},
  ): Promise<OidcGateway> {
    const folder = await mkdtemp(join(tmpdir(), 'warren-oidc-'));
    const clientSecretFile = join(folder, 'secret');
    await writeFile(clientSecretFile, `${SECRET}\n`);
    const list = Object.entries(providers).map(([id, { issuer }]) => ({
      id,
      name: `The <${id}> one`,
      issuer,
      clientId: 'warren',
      clientSecretFile,
      ...own[id],
    }));
    const env = { OIDC_PROVIDERS: JSON.stringify(list), ...(Object.keys(saml).length === 0 && { SAML_PROVIDERS: '' }) };
    return new OidcGateway(await SamlGateway.start(HUB, saml, env, {}, own), folder);
  }

  async stop(): Promise<void> {
    await this.hub.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Begins a sign-in. @returns where the hub leads, and the cookie of the browser */
  async begin(query = '', cookie = ''): Promise<{ location: string; cookie: string; answer: Answer }> {
    const answer = await this.hub.gateway.get(`/auth/saml/login${query}`, undefined, cookie ? { cookie } : {});
    return { location: answer.headers.location ?? '', cookie: cookiesOf(answer), answer };
  }

  /** Follows a redirect of the provider to the hub. */
  callback(url: string, cookie: string): Promise<Answer> {
    return this.hub.gateway.get(url.replace(HUB, ''), undefined, { cookie });
  }

  /** Signs in the provider's person. */
  async signIn(provider: OpenIdProvider, query = ''): Promise<Answer> {
    const { location, cookie } = await this.begin(query);
    return this.callback(await provider.visit(location), cookie);
  }

  logout(id: string, token: string): Promise<Answer> {
    return this.hub.post(
      `/auth/oidc/${id}/backchannel-logout`,
      new URLSearchParams({ logout_token: token }).toString(),
    );
  }
}
