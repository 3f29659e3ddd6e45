import { textOf } from '@warren/platform/config/forms';
import { emailDomain } from '@warren/rules/emails';
import { PROVIDER_ID } from '@warren/rules/providers';
import { z } from 'zod';

const EXPECTED = {
  id: 'expected up to 32 lower-case letters, digits and dashes, such as work',
  name: 'expected what people read, 1 to 80 characters, such as Work',
  domains: 'expected domains of e-mail addresses, such as ["example.com"]',
  listed: 'expected true or false',
};

/** The fields that a provider of any protocol has. */
export const providerShape = {
  /** Identifies the provider in URLs and in the audit trail. With another name it counts as another provider. */
  id: textOf(PROVIDER_ID, EXPECTED.id),
  /** Label of the provider on the sign-in page. */
  name: z.string(EXPECTED.name).trim().min(1, EXPECTED.name).max(80, EXPECTED.name),
  /** E-mail domains that this provider may sign in. A hub's only provider may omit it, and then signs in all domains. */
  domains: z
    .array(
      z
        .string(EXPECTED.domains)
        .refine((text) => emailDomain.safeParse(text).success, EXPECTED.domains)
        .pipe(emailDomain),
      EXPECTED.domains,
    )
    .min(1, EXPECTED.domains)
    .optional(),
  /** Whether the sign-in page shows it. An unlisted provider is found by e-mail address, or named in the request. */
  listed: z.boolean(EXPECTED.listed).default(true),
};

/** The fields of a provider that tell it from others. */
export interface ProviderNames {
  id: string;
  domains?: string[] | undefined;
  listed: boolean;
}

/** A provider's object; other fields are refused by name. */
export const providerObject = <const T extends z.ZodRawShape>(shape: T, example: string) =>
  z.strictObject(shape, {
    error: (issue) => {
      const unknown = issue.code === 'unrecognized_keys' ? `; not known: ${issue.keys.join(', ')}` : '';
      return `expected an object of ${Object.keys(shape).join(', ')}, such as ${example}${unknown}`;
    },
  });

/** A JSON array of providers: 1 to 50, with ids and domains that differ. */
export function providerList<T extends z.ZodType<ProviderNames>>(provider: T, expected: string) {
  return z
    .string(expected)
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: expected });
        return z.NEVER;
      }
    })
    .pipe(z.array(provider, expected).min(1, expected).max(50, 'expected 50 providers at most'))
    .superRefine((list, context) => {
      const problem = confusionOf(list);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
    });
}

/** Returns why providers could sign in each other's people, or be taken for each other; undefined if they can't. */
export function confusionOf(list: readonly ProviderNames[]): string | undefined {
  if (new Set(list.map(({ id }) => id)).size < list.length) return 'expected ids that differ, such as work and guests';
  if (list.length > 1 && list.some(({ domains }) => !domains))
    return 'expected domains of e-mail addresses for each of several providers, such as "domains": ["example.com"]';
  const all = list.flatMap(({ domains = [] }) => [...new Set(domains)]);
  const shared = all.find((domain, at) => all.indexOf(domain) !== at);
  return shared === undefined
    ? undefined
    : `expected domains that one provider alone speaks for, such as ["example.com"] and ["example.org"]; ${shared} is of two`;
}
