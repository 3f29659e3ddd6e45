import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type JWKS, type KoaContextWithOIDC } from 'oidc-provider';

/** A person that the provider knows. */
export interface OpenIdPerson {
  sub: string;
  email: string;
  email_verified?: boolean | string;
  name?: string;
  /** A text, an array, or what no provider should send. */
  groups?: unknown;
  /** Names of claims that are elsewhere (OpenID Connect Core 1.0, section 5.6.2). */
  _claim_names?: Record<string, string>;
}

/** The hub as a client of the provider. */
export interface OpenIdClient {
  id: string;
  secret: string;
  redirectUri: string;
  /** Where the provider reports logouts; none if not given. */
  logoutUri?: string;
  signedOutUri: string;
}

/** Changes an answer of the provider before it is sent. */
type Tamper = (
  body: Record<string, unknown>,
  context: Pick<KoaContextWithOIDC, 'status' | 'set'>,
) => Promise<Record<string, unknown>> | Record<string, unknown>;

interface Key {
  kid: string;
  privateKey: CryptoKey;
  jwk: JWK;
  publicJwk: JWK;
}

/** Lifetime of what the provider issues, seconds. */
const LIFE_S = 3_600;

async function makeKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const more = { kid, alg: 'RS256', use: 'sig' };
  return {
    kid,
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), ...more },
    publicJwk: { ...(await exportJWK(publicKey)), ...more },
  };
}

/**
 * An OpenID Connect provider for tests: the certified `oidc-provider`, on this machine. It signs in `person` without a page, and tests may
 * change what it answers.
 */
export class OpenIdProvider {
  /** Who signs in next; nobody refuses. */
  person: OpenIdPerson | undefined;
  /** Changes answers by their path, such as `/token`. */
  readonly tampers = new Map<string, Tamper>();
  /** Requests by path. */
  readonly requests: string[] = [];

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private key: Key,
  ) {}

  /** @param options `claimsInIdToken` puts all claims there, as many providers do; otherwise they are in UserInfo */
  static async start(client: OpenIdClient, options: { claimsInIdToken?: boolean } = {}): Promise<OpenIdProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    const provider = new OpenIdProvider(issuer, server, await makeKey('first'));
    const app = new Provider(issuer, provider.configuration(client, options));
    app.use(async (context, next) => provider.answer(context as KoaContextWithOIDC, next, app));
    const handle = app.callback();
    server.on('request', (request, response) => void handle(request, response));
    return provider;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Replaces the signing key, as a provider does from time to time. Answers are signed with it, and the old key is gone. */
  async rotate(): Promise<void> {
    this.key = await makeKey(`next-${Date.now()}`);
    this.tampers.set('/jwks', () => ({ keys: [this.key.publicJwk] }));
    this.tampers.set('/token', async (body) => ({ ...body, id_token: await this.sign(claimsOf(body['id_token'])) }));
  }

  /** Signs claims with the provider's key, or that of `by`. */
  sign(claims: JWTPayload, header: { typ?: string } = {}, by: OpenIdProvider = this): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: this.key.kid, ...header })
      .sign(by.key.privateKey);
  }

  /** Signs in `person` as a browser would: from the URL that the hub redirected to, to the URL at the hub. */
  async visit(url: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = url;
    for (let hops = 0; hops < 10 && next.startsWith(this.issuer); hops++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${next} answers ${answer.status}: ${await answer.text()}`);
      next = new URL(location, next).href;
    }
    return next;
  }

  private async answer(context: KoaContextWithOIDC, next: () => Promise<void>, app: Provider): Promise<void> {
    this.requests.push(context.path);
    if (context.path.startsWith('/interaction/')) return this.interact(context, app);
    await next();
    const tamper = this.tampers.get(context.path);
    if (tamper) context.body = await tamper((context.body ?? {}) as Record<string, unknown>, context);
  }

  private async interact({ req, res }: KoaContextWithOIDC, app: Provider): Promise<void> {
    const { person } = this;
    const result = person
      ? { login: { accountId: person.sub } }
      : { error: 'access_denied', error_description: 'nobody is here' };
    await app.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
  }

  private configuration(
    client: OpenIdClient,
    { claimsInIdToken = true }: { claimsInIdToken?: boolean },
  ): Configuration {
    return {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: [client.redirectUri],
          post_logout_redirect_uris: [client.signedOutUri],
          ...(client.logoutUri && {
            backchannel_logout_uri: client.logoutUri,
            backchannel_logout_session_required: true,
          }),
        },
      ],
      jwks: { keys: [this.key.jwk] } as JWKS,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', '_claim_names'] },
      conformIdTokenClaims: !claimsInIdToken,
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: () => ({ ...(this.person?.sub === sub ? this.person : { sub }) }),
      }),
      loadExistingGrant: async (context) => {
        const { oidc } = context;
        const grant = new oidc.provider.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email profile');
        await grant.save();
        return grant;
      },
      // Without its dispatcher, which connects to no address of this machine.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      pkce: { required: () => true },
      ttl: { Interaction: LIFE_S, Grant: LIFE_S, Session: LIFE_S, AccessToken: LIFE_S, IdToken: LIFE_S },
      cookies: { keys: ['a key of tests'] },
    };
  }
}

/** The claims of a token, unverified. */
export function claimsOf(token: unknown): JWTPayload {
  const [, payload = ''] = String(token).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as JWTPayload;
}
