import type { RefusedSignIn } from '@warren/proto/identity/v1/identity';
import { providerId } from '@warren/rules/providers';
import { z } from 'zod';
import { idSchema, isoTime, timeSchema } from '../../http/schemas.ts';
import { checkOf } from '../refusal/checks.ts';
import type { Protocol } from '../refusal/sign-in.refused.ts';
import { FLEET } from '../../http/example.fleet.ts';

const LIMIT = 200;

const signInProvider = providerId.describe('Id of an identity provider.').meta({ examples: ['work'] });

export const failuresQuery = z.object({
  account: idSchema.optional().describe('Only people of this account.'),
  provider: signInProvider.optional(),
  before: idSchema.optional().describe('What the answer before gave as `next`.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(50)
    .transform((wanted) => Math.min(wanted, LIMIT))
    .describe(`Entries of one answer; more than ${LIMIT} count as ${LIMIT}.`),
});
export type FailuresQuery = z.output<typeof failuresQuery>;

export const trialBody = z.object({ provider: signInProvider });
export type TrialBody = z.output<typeof trialBody>;

export const trialSchema = z
  .object({ url: z.string().describe('Where the browser continues, within 10 minutes.') })
  .meta({ id: 'SignInTrial', examples: [{ url: 'https://idp.example.com/sso?SAMLRequest=…' }] });

const protocol = z.enum(['saml', 'oidc']);

const failureSchema = z
  .object({
    id: idSchema,
    time: timeSchema,
    provider: z.string().describe('Id of the provider; empty if the answer names none of this hub.'),
    provider_name: z.string(),
    protocol: protocol.nullable(),
    email: z.string().describe('From a verified answer; empty without it.'),
    kind: z
      .string()
      .describe('Which check failed: domain, time, certificate, …')
      .meta({ examples: ['domain'] }),
    check: z.string().describe('What the check expects.'),
    mend: z.string().describe('Which setting mends it.'),
    reason: z.string(),
    received: z.record(z.string(), z.unknown()).describe('What was received and expected, without secrets.'),
    remote_address: z.string(),
    user_agent: z.string(),
    request_id: z.string().describe('Finds the request in the log of the gateway.'),
  })
  .meta({
    id: 'SignInFailure',
    examples: [
      {
        id: FLEET.id,
        time: FLEET.at,
        provider: 'work',
        provider_name: 'Work account',
        protocol: 'saml',
        email: 'kim@other.example',
        kind: 'domain',
        check: 'The domain of the address is one that the provider may sign in.',
        mend: 'Add the domain to `domains` of the provider.',
        reason: 'other.example is not a domain of this provider.',
        received: { domain: 'other.example' },
        remote_address: '203.0.113.7',
        user_agent: 'Mozilla/5.0',
        request_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      },
    ],
  });

export const failuresSchema = z
  .object({
    failures: z.array(failureSchema),
    next: z.string().nullable().describe('Of the next page; null on the last one.'),
    providers: z
      .array(
        z.object({ id: z.string(), name: z.string(), protocol, usable: z.boolean() }).meta({
          id: 'SignInProvider',
          examples: [{ id: 'work', name: 'Work account', protocol: 'saml', usable: true }],
        }),
      )
      .describe('The providers that can be tried.'),
  })
  .meta({ id: 'SignInFailures' });

/** A provider's name and protocol, as far as the entry has a provider that is still there. */
interface Named {
  name: string;
  protocol: Protocol;
}

export function failureJson(signIn: RefusedSignIn, named: Named | undefined): z.output<typeof failureSchema> {
  const { id, time, provider, email, kind, reason, remoteAddress, userAgent, requestId } = signIn;
  return {
    id,
    time: isoTime(time) ?? '',
    provider,
    provider_name: named?.name ?? provider,
    protocol: named?.protocol ?? null,
    email,
    kind,
    ...checkOf(kind, named?.protocol ?? 'saml'),
    reason,
    received: JSON.parse(signIn.details || '{}') as Record<string, unknown>,
    remote_address: remoteAddress,
    user_agent: userAgent,
    request_id: requestId,
  };
}
