import { flagSchema, originSchema, type CommonConfig } from '@warren/platform/config/common';
import { textOf } from '@warren/platform/config/forms';
import type { Given } from '@warren/platform/config/production';
import { emailDomain, emailSetting } from '@warren/rules/emails';
import { z } from 'zod';

/** A comma-separated list of e-mail addresses. */
const emails = z
  .string()
  .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
  .pipe(z.array(emailSetting));

const EXAMPLE = '{"id":"work","name":"Work","metadata":"/etc/warren/saml/work.xml"}';
const PROVIDER = {
  id: 'expected up to 32 lower-case letters, digits and dashes, such as work',
  name: 'expected what people read, 1 to 80 characters, such as Work',
  metadata: 'expected the path of a file or an http(s) address, such as /etc/warren/saml/work.xml',
  domains: 'expected domains of e-mail addresses, such as ["example.com"]',
  emailAttribute: 'expected the name of a SAML attribute, such as mail',
  listed: 'expected true or false',
};

const providerSchema = z.strictObject(
  {
    /** Identifies the provider in URLs and in the audit trail. With another name it counts as another provider. */
    id: textOf(/^[a-z0-9][a-z0-9-]{0,31}$/, PROVIDER.id),
    /** Label of the provider on the sign-in page. */
    name: z.string(PROVIDER.name).trim().min(1, PROVIDER.name).max(80, PROVIDER.name),
    /** Path of the SAML metadata file, or its http(s) URL. */
    metadata: z.string(PROVIDER.metadata).min(1, PROVIDER.metadata),
    /** E-mail domains that this provider may sign in. Only one provider may omit it, and then signs in all domains. */
    domains: z
      .array(
        z
          .string(PROVIDER.domains)
          .refine((text) => emailDomain.safeParse(text).success, PROVIDER.domains)
          .pipe(emailDomain),
        PROVIDER.domains,
      )
      .min(1, PROVIDER.domains)
      .optional(),
    /** Attribute with the e-mail address; defaults to the common ones. */
    emailAttribute: z.string(PROVIDER.emailAttribute).min(1, PROVIDER.emailAttribute).max(200).optional(),
    /** Whether the sign-in page shows it. An unlisted provider must be named in the request. */
    listed: z.boolean(PROVIDER.listed).default(true),
  },
  {
    error: (issue) => {
      const unknown = issue.code === 'unrecognized_keys' ? `; not known: ${issue.keys.join(', ')}` : '';
      return `expected an object of ${Object.keys(PROVIDER).join(', ')}, such as ${EXAMPLE}${unknown}`;
    },
  },
);

const PROVIDERS = `expected a JSON array of {"id", "name", "metadata"}, such as [${EXAMPLE}]`;

interface WithDomains {
  domains?: string[] | undefined;
}

/** Finds a domain that two providers list: each could sign in as the other's users. */
function shared(list: readonly WithDomains[]): string | undefined {
  const all = list.flatMap(({ domains = [] }) => [...new Set(domains)]);
  return all.find((domain, at) => all.indexOf(domain) !== at);
}

const providersSchema = z
  .string(PROVIDERS)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: PROVIDERS });
      return z.NEVER;
    }
  })
  .pipe(z.array(providerSchema, PROVIDERS).min(1, PROVIDERS).max(50, 'expected 50 providers at most'))
  .refine(
    (list) => new Set(list.map(({ id }) => id)).size === list.length,
    'expected ids that differ, such as work and guests',
  )
  .refine(
    (list) => list.length === 1 || list.every(({ domains }) => domains),
    'expected domains of e-mail addresses for each of several providers, such as "domains": ["example.com"]',
  )
  .refine((list) => shared(list) === undefined, {
    error: ({ input }) =>
      `expected domains that one provider alone speaks for, such as ["example.com"] and ["example.org"]; ${shared(input as WithDomains[])} is of two`,
  })
  .refine(
    (list) => list.some(({ listed }) => listed),
    'expected one at least that is listed, such as one without "listed": false',
  );

const CLOCK = 'expected seconds, 0 to 300, such as 60';

/** Environment variables of sign-in; spread into the process's schema. */
export const authShape = {
  /** The public origin of the hub. Its scheme decides the attributes of cookies. */
  HUB_URL: originSchema,
  SAML_PROVIDERS: providersSchema,
  /** Accepted clock skew between hub and provider, in seconds. */
  SAML_CLOCK_TOLERANCE: z.coerce.number(CLOCK).int(CLOCK).min(0, CLOCK).max(300, CLOCK).default(60),
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
export type ProviderConfig = z.output<typeof providerSchema>;
export const AUTH_CONFIG = Symbol('AuthConfig');

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

/** Lists problems that concern several variables, a line for each. */
export function authProblems(given: Given): string[] {
  const pairs = [
    ['SAML_KEY_FILE', 'SAML_CERT_FILE'],
    ['SAML_DECRYPTION_KEY_FILE', 'SAML_DECRYPTION_CERT_FILE'],
  ] as const;
  return pairs
    .filter(([key, certificate]) => Boolean(given[key]) !== Boolean(given[certificate]))
    .map(([key, certificate]) => `${key} and ${certificate}: expected both or neither`);
}
