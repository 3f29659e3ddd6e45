import { DomainFinding, DomainProof, type Domain } from '@warren/proto/tenancy/v1/domains';
import { claimedDomain, recordName, recordText } from '@warren/rules/domains';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

export const claimDomainBody = z
  .object({
    domain: claimedDomain.meta({
      description: 'The part of e-mail addresses after the @; international ones as `xn--`.',
      examples: ['example.com'],
    }),
  })
  .meta({ id: 'ClaimDomain', examples: [{ domain: 'acme.example' }] });
export type ClaimDomainBody = z.output<typeof claimDomainBody>;

const PROOFS = {
  [DomainProof.DNS]: 'dns',
  [DomainProof.OPERATOR]: 'operator',
  [DomainProof.UNSPECIFIED]: null,
} as const;
const FINDINGS = {
  [DomainFinding.FOUND]: 'found',
  [DomainFinding.ABSENT]: 'absent',
  [DomainFinding.DIFFERENT]: 'different',
  [DomainFinding.UNREACHABLE]: 'unreachable',
  [DomainFinding.UNSPECIFIED]: null,
} as const;

const domainSchema = z
  .object({
    id: idSchema,
    domain: z.string().meta({ examples: ['example.com'] }),
    record: z
      .string()
      .describe('Name of the TXT record that proves the domain.')
      .meta({ examples: ['_warren-challenge.example.com'] }),
    value: z.string().describe('Text of that record.'),
    created_by: z.string().describe('E-mail address of the person who claimed it.'),
    created_at: timeSchema,
    verified_at: timeSchema.nullable().describe('Null for a domain that is only claimed.'),
    verified_by: z.string().describe('E-mail address of the person who checked or confirmed it; empty before.'),
    proof: z.enum(['dns', 'operator']).nullable().describe('What verified it: its record, or the operator.'),
    checked_at: timeSchema.nullable().describe('When the record was last looked up.'),
    finding: z
      .enum(['found', 'absent', 'different', 'unreachable'])
      .nullable()
      .describe('What that found: `absent` no TXT record, `different` other texts, `unreachable` no answer of DNS.'),
    lost_at: timeSchema.nullable().describe('Since when the record of a domain that DNS verified is gone.'),
  })
  .meta({
    id: 'AccountDomain',
    examples: [
      {
        id: FLEET.id,
        domain: 'acme.example',
        record: '_warren-challenge.acme.example',
        value: 'warren-domain-verification=4f1c0b6e',
        created_by: FLEET.owner.email,
        created_at: FLEET.at,
        verified_at: null,
        verified_by: '',
        proof: null,
        checked_at: FLEET.at,
        finding: 'absent',
        lost_at: null,
      },
    ],
  });

export const domainListSchema = z
  .object({ domains: z.array(domainSchema) })
  .meta({ id: 'AccountDomainList', description: 'By name.' });

export const domainDoneSchema = doneSchema.extend({ result: domainSchema }).meta({ id: 'AccountDomainDone' });

const timeOf = (time: Domain['created']) => (time ? isoTime(time) : null);

export function domainJson(domain: Domain): z.output<typeof domainSchema> {
  return {
    id: domain.id,
    domain: domain.name,
    record: recordName(domain.name),
    value: recordText(domain.token),
    created_by: domain.createdBy,
    created_at: isoTime(domain.created),
    verified_at: timeOf(domain.verified),
    verified_by: domain.verifiedBy,
    proof: PROOFS[domain.proof],
    checked_at: timeOf(domain.checked),
    finding: FINDINGS[domain.finding],
    lost_at: timeOf(domain.lost),
  };
}
