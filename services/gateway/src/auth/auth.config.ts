import { flagSchema, originSchema, type CommonConfig } from '@warren/platform/config/common';
import { textOf } from '@warren/platform/config/forms';
import type { Given } from '@warren/platform/config/production';
import { emailDomain, emailSetting } from '@warren/rules/emails';
import { z } from 'zod';

/** E-mails with commas between them. */
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
    /** Stands in addresses and in the audit trail; renaming it makes the provider a different one. */
    id: textOf(/^[a-z0-9][a-z0-9-]{0,31}$/, PROVIDER.id),
    /** What people read when they choose where to sign in. */
    name: z.string(PROVIDER.name).trim().min(1, PROVIDER.name).max(80, PROVIDER.name),
    /** SAML metadata: path of a file, or an http(s) address. */
    metadata: z.string(PROVIDER.metadata).min(1, PROVIDER.metadata),
    /** E-mail domains that this provider may speak for; all of them when not given, which one provider alone may. */
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
    /** The attribute that holds the e-mail; those that are usual when not given. */
    emailAttribute: z.string(PROVIDER.emailAttribute).min(1, PROVIDER.emailAttribute).max(200).optional(),
    /** Whether people are offered it; one that is not listed has to be named by who asks for it. */
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

/** A domain that stands twice among the providers: whose people could be taken over by another one. */
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

/** What sign-in reads from the gateway's environment; spread into the process's schema. */
export const authShape = {
  /** The one public origin of the hub; its scheme decides how cookies are guarded. */
  HUB_URL: originSchema,
  SAML_PROVIDERS: providersSchema,
  /** Seconds that the clocks of hub and provider may be apart. */
  SAML_CLOCK_TOLERANCE: z.coerce.number(CLOCK).int(CLOCK).min(0, CLOCK).max(300, CLOCK).default(60),
  /** PEM files of the hub's own key and certificate, for providers that want signed requests. */
  SAML_KEY_FILE: z.string().optional(),
  SAML_CERT_FILE: z.string().optional(),
  /** PEM files of the key that providers encrypt assertions for; the certificate is in the hub's metadata. */
  SAML_DECRYPTION_KEY_FILE: z.string().optional(),
  SAML_DECRYPTION_CERT_FILE: z.string().optional(),
  /** The previous key, for providers that still use the old metadata. */
  SAML_DECRYPTION_OLD_KEY_FILE: z.string().optional(),
  OPERATOR_EMAIL: emailSetting.optional(),
  /** Who sees Settings; the operator when not given. */
  SETTINGS_EMAILS: emails.optional(),
  /** Who sees the WebSSH item; the operator when not given. */
  WEBSSH_EMAILS: emails.optional(),
  /** Lets a production hub run on plain http, for those who end TLS nowhere and know it. */
  ALLOW_INSECURE_HTTP: flagSchema.default(false),
};

export type AuthConfig = z.output<z.ZodObject<typeof authShape>> & Pick<CommonConfig, 'NODE_ENV'>;
export type ProviderConfig = z.output<typeof providerSchema>;
export const AUTH_CONFIG = Symbol('AuthConfig');

/** The hub's name at identity providers; also where its metadata is. */
export function entityId(config: Pick<AuthConfig, 'HUB_URL'>): string {
  return `${config.HUB_URL}/auth/saml/metadata`;
}

/** The assertion consumer service. */
export function acsUrl(config: Pick<AuthConfig, 'HUB_URL'>): string {
  return `${config.HUB_URL}/auth/saml/acs`;
}

/** The single logout service. */
export function sloUrl(config: Pick<AuthConfig, 'HUB_URL'>): string {
  return `${config.HUB_URL}/auth/saml/slo`;
}

/** What one field alone can't tell: a line for each problem. */
export function authProblems(given: Given): string[] {
  const pairs = [
    ['SAML_KEY_FILE', 'SAML_CERT_FILE'],
    ['SAML_DECRYPTION_KEY_FILE', 'SAML_DECRYPTION_CERT_FILE'],
  ] as const;
  return pairs
    .filter(([key, certificate]) => Boolean(given[key]) !== Boolean(given[certificate]))
    .map(([key, certificate]) => `${key} and ${certificate}: expected both or neither`);
}
