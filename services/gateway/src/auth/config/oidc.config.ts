import { isLoopback } from '@warren/platform/config/loopback';
import type { Given } from '@warren/platform/config/production';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { providerList, providerObject, providerShape } from './provider.schema.ts';

const EXAMPLE = '{"id":"work","name":"Work","issuer":"https://idp.example.com","clientId":"warren"}';
const EXPECTED = {
  issuer: 'expected the https address of the issuer without query, such as https://idp.example.com',
  clientId: 'expected the client id that the provider gave, such as warren',
  clientSecretFile: 'expected the path of a file with the client secret, such as /etc/warren/oidc/work',
  scopes: 'expected names of scopes with openid among them, such as ["openid", "profile", "email"]',
  emailClaim: 'expected the name of a claim, such as email',
  groupsClaim: 'expected the name of a claim, such as groups',
  emailVerified: 'expected claim or assumed',
  maxAge: 'expected seconds, 60 to 2592000, such as 28800',
};

const CLAIM = /^[\w.:/-]{1,100}$/;

const oidcProvider = providerObject(
  {
    ...providerShape,
    /** The issuer, as its discovery document and ID tokens name it. */
    issuer: z.string(EXPECTED.issuer).refine(isIssuer, EXPECTED.issuer),
    clientId: z.string(EXPECTED.clientId).min(1, EXPECTED.clientId).max(255, EXPECTED.clientId),
    /** File with the client secret, read at each sign-in; a public client has none. */
    clientSecretFile: z.string(EXPECTED.clientSecretFile).min(1, EXPECTED.clientSecretFile).optional(),
    scopes: z
      .array(z.string(EXPECTED.scopes).regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, EXPECTED.scopes), EXPECTED.scopes)
      .max(20, EXPECTED.scopes)
      .refine((list) => list.includes('openid'), EXPECTED.scopes)
      .default(['openid', 'profile', 'email']),
    /** Claim with the e-mail address. */
    emailClaim: z.string(EXPECTED.emailClaim).regex(CLAIM, EXPECTED.emailClaim).default('email'),
    /** Claim with the groups of the person, a text or an array of texts. */
    groupsClaim: z.string(EXPECTED.groupsClaim).regex(CLAIM, EXPECTED.groupsClaim).default('groups'),
    /** `claim`: `email_verified` or `xms_edov` must be true. `assumed`: it may be missing, but not false; needs domains. */
    emailVerified: z.enum(['claim', 'assumed'], EXPECTED.emailVerified).default('claim'),
    /** Maximum seconds since the person last proved who they are at the provider (`max_age`). */
    maxAge: z
      .number(EXPECTED.maxAge)
      .int(EXPECTED.maxAge)
      .min(60, EXPECTED.maxAge)
      .max(2_592_000, EXPECTED.maxAge)
      .optional(),
  },
  EXAMPLE,
);

/** Environment variable with the OpenID Connect providers. */
export const oidcProvidersSchema = providerList(
  oidcProvider,
  `expected a JSON array of {"id", "name", "issuer", "clientId"}, such as [${EXAMPLE}]`,
)
  .refine(
    (list) => list.every(({ emailVerified, domains }) => emailVerified === 'claim' || domains),
    'expected domains where "emailVerified" is "assumed", such as "domains": ["example.com"]',
  )
  .refine(
    (list) => list.every(({ emailVerified, emailClaim }) => emailVerified === 'assumed' || emailClaim === 'email'),
    'expected "emailVerified": "assumed" where "emailClaim" is not email, such as "emailVerified": "assumed"',
  );

export type OidcProviderConfig = z.output<typeof oidcProvider>;

/** Plain http is for a provider on this machine; production refuses that as well. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const plain = protocol === 'http:' && isLoopback(hostname);
  return (protocol === 'https:' || plain) && ![search, hash, username, password].some(Boolean);
}

/**
 * Reads a client secret.
 * @throws Error naming the file, not its content
 */
export function readSecret(path: string): string {
  const secret = readFileSync(path, 'utf8').trim();
  if (secret === '' || secret.length > 1_024) throw new Error(`${path}: expected 1 to 1,024 characters`);
  return secret;
}

/** Lists problems of the providers that show before the start: unreadable secrets and, in production, loopback addresses. */
export function oidcProblems(given: Given, production: boolean): string[] {
  const list = oidcProvidersSchema.safeParse(given['OIDC_PROVIDERS']).data ?? [];
  return list.flatMap(({ id, issuer, clientSecretFile }, at) => {
    const lines: string[] = [];
    if (production && isLoopback(new URL(issuer).hostname))
      lines.push(`OIDC_PROVIDERS.${at}.issuer: ${id} is refused in production: ${issuer} is on this machine alone`);
    const problem = clientSecretFile === undefined ? undefined : unreadable(clientSecretFile);
    if (problem) lines.push(`OIDC_PROVIDERS.${at}.clientSecretFile: ${EXPECTED.clientSecretFile} (${problem})`);
    return lines;
  });
}

function unreadable(path: string): string | undefined {
  try {
    readSecret(path);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
