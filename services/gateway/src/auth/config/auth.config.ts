import { flagSchema, originSchema, type CommonConfig } from '@warren/platform/config/common';
import type { Given } from '@warren/platform/config/production';
import { emailSetting } from '@warren/rules/emails';
import { z } from 'zod';
import { oidcProvidersSchema } from './oidc.config.ts';
import { confusionOf, providerList, providerObject, providerShape } from './provider.schema.ts';

/** A comma-separated list of e-mail addresses. */
const emails = z
  .string()
  .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
  .pipe(z.array(emailSetting));

const EXAMPLE = '{"id":"work","name":"Work","metadata":"/etc/warren/saml/work.xml"}';
const EXPECTED = {
  metadata: 'expected the path of a file or an http(s) address, such as /etc/warren/saml/work.xml',
  emailAttribute: 'expected the name of a SAML attribute, such as mail',
  groupsAttribute: 'expected the name of a SAML attribute, such as groups',
};

const samlProvider = providerObject(
  {
    ...providerShape,
    /** Path of the SAML metadata file, or its http(s) URL. */
    metadata: z.string(EXPECTED.metadata).min(1, EXPECTED.metadata),
    /** Attribute with the e-mail address; defaults to the common ones. */
    emailAttribute: z.string(EXPECTED.emailAttribute).min(1, EXPECTED.emailAttribute).max(200).optional(),
    /** Attribute with the groups of the person; defaults to the common ones. */
    groupsAttribute: z
      .string(EXPECTED.groupsAttribute)
      .min(1, EXPECTED.groupsAttribute)
      .max(200, EXPECTED.groupsAttribute)
      .optional(),
  },
  EXAMPLE,
);

const PROVIDERS = `expected a JSON array of {"id", "name", "metadata"}, such as [${EXAMPLE}]`;

const CLOCK = 'expected seconds, 0 to 300, such as 60';

/** Environment variables of sign-in; spread into the process's schema. */
export const authShape = {
  /** The public origin of the hub. Its scheme decides the attributes of cookies. */
  HUB_URL: originSchema,
  SAML_PROVIDERS: providerList(samlProvider, PROVIDERS).optional(),
  OIDC_PROVIDERS: oidcProvidersSchema.optional(),
  /** Accepted clock skew between hub and provider, in seconds. */
  SAML_CLOCK_TOLERANCE: z.coerce.number(CLOCK).int(CLOCK).min(0, CLOCK).max(300, CLOCK).default(60),
  /** Accepted clock skew between hub and OpenID Connect providers, in seconds. */
  OIDC_CLOCK_TOLERANCE: z.coerce.number(CLOCK).int(CLOCK).min(0, CLOCK).max(300, CLOCK).default(60),
  /** PEM files of the hub's signing key and certificate, for providers that require signed requests. */
  SAML_KEY_FILE: z.string().optional(),
  SAML_CERT_FILE: z.string().optional(),
  /** PEM files of the hub's decryption key and certificate. Providers encrypt assertions for the certificate in the hub's metadata. */
  SAML_DECRYPTION_KEY_FILE: z.string().optional(),
  SAML_DECRYPTION_CERT_FILE: z.string().optional(),
  /** PEM files of the previous decryption key, for providers that still use the old metadata. */
  SAML_DECRYPTION_OLD_KEY_FILE: z.string().optional(),
  OPERATOR_EMAIL: emailSetting.optional(),
  /** E-mail addresses that see Settings; defaults to the operator's users. */
  SETTINGS_EMAILS: emails.optional(),
  /** E-mail addresses that see the WebSSH item; defaults to the operator's users. */
  WEBSSH_EMAILS: emails.optional(),
  /** Allows plain http in production, for installations without TLS. */
  ALLOW_INSECURE_HTTP: flagSchema.default(false),
};

export type AuthConfig = z.output<z.ZodObject<typeof authShape>> & Pick<CommonConfig, 'NODE_ENV'>;
export const AUTH_CONFIG = Symbol('AuthConfig');
export type ProviderConfig = z.output<typeof samlProvider>;

/** Returns the hub's entity id, which is also the URL of its metadata. */
export function entityId(config: Pick<AuthConfig, 'HUB_URL'>): string {
  return `${config.HUB_URL}/auth/saml/metadata`;
}

/** Returns the URL of the assertion consumer service. */
export function acsUrl(config: Pick<AuthConfig, 'HUB_URL'>): string {
  return `${config.HUB_URL}/auth/saml/acs`;
}

/** Returns the URL of the single logout service. */
export function sloUrl(config: Pick<AuthConfig, 'HUB_URL'>): string {
  return `${config.HUB_URL}/auth/saml/slo`;
}

/** Returns the URL of the last page of a sign-out. */
export function signedOutUrl(config: Pick<AuthConfig, 'HUB_URL'>): string {
  return `${config.HUB_URL}/auth/saml/signed-out`;
}

/** Lists problems that concern several variables, a line for each. */
export function authProblems(given: Given): string[] {
  const pairs = [
    ['SAML_KEY_FILE', 'SAML_CERT_FILE'],
    ['SAML_DECRYPTION_KEY_FILE', 'SAML_DECRYPTION_CERT_FILE'],
  ] as const;
  return [
    ...providersProblems(given),
    ...pairs
      .filter(([key, certificate]) => Boolean(given[key]) !== Boolean(given[certificate]))
      .map(([key, certificate]) => `${key} and ${certificate}: expected both or neither`),
  ];
}

/** A provider of one protocol must not be able to sign in the people of a provider of the other. */
function providersProblems(given: Given): string[] {
  const saml = authShape.SAML_PROVIDERS.safeParse(given['SAML_PROVIDERS']);
  const oidc = authShape.OIDC_PROVIDERS.safeParse(given['OIDC_PROVIDERS']);
  if (!saml.success || !oidc.success) return [];
  const all = [...(saml.data ?? []), ...(oidc.data ?? [])];
  if (all.length === 0) return [`SAML_PROVIDERS: ${PROVIDERS}, or providers in OIDC_PROVIDERS (came: not set)`];
  const name = oidc.data ? 'OIDC_PROVIDERS' : 'SAML_PROVIDERS';
  if (!all.some(({ listed }) => listed))
    return [`${name}: expected one at least that is listed, such as one without "listed": false (came: none)`];
  const problem = saml.data && oidc.data ? confusionOf(all) : undefined;
  return problem === undefined ? [] : [`OIDC_PROVIDERS: ${problem} (came: with those of SAML_PROVIDERS)`];
}
