import type { ScimToken } from '@warren/proto/tenancy/v1/scim';
import { tokenDays, tokenName, TOKEN_LIMITS } from '@warren/rules/tokens';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { idSchema, isoTime, timeSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

export const createScimTokenBody = z
  .object({
    name: tokenName.meta({ description: 'What you call it.', examples: ['Entra ID'] }),
    days: tokenDays.meta({ description: `Days until it expires, 1 to ${TOKEN_LIMITS.days}.`, examples: [365] }),
  })
  .meta({ id: 'CreateScimToken', examples: [{ name: 'Entra ID', days: 28 }] });
export type CreateScimTokenBody = z.output<typeof createScimTokenBody>;

const scimTokenSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    hint: z
      .string()
      .describe('The first characters of the token.')
      .meta({ examples: ['wrn_4fTa'] }),
    created_by: z.string().describe('E-mail address of the person who created it.'),
    created_at: timeSchema,
    expires_at: timeSchema,
    used_at: timeSchema.nullable().describe('When it was last used, accurate to a minute; null if never.'),
    used_from: z.string().describe('IP address of that use; empty if never.'),
  })
  .meta({
    id: 'ScimToken',
    examples: [
      {
        id: FLEET.id,
        name: 'Entra ID',
        hint: 'wrs_4fTa',
        created_by: FLEET.owner.email,
        created_at: FLEET.at,
        expires_at: FLEET.later,
        used_at: null,
        used_from: '',
      },
    ],
  });

export const scimTokenListSchema = z.object({ tokens: z.array(scimTokenSchema) }).meta({
  id: 'ScimTokenList',
  description: 'Newest first; those that have expired too.',
});

export const scimTokenCreatedSchema = doneSchema
  .extend({
    result: scimTokenSchema,
    secret: z
      .string()
      .describe('The token. It is not shown again.')
      .meta({ examples: ['wrn_…'] }),
  })
  .meta({ id: 'ScimTokenCreated' });

export function scimTokenJson(token: ScimToken): z.output<typeof scimTokenSchema> {
  const { id, name, hint, createdBy, used, usedFrom } = token;
  return {
    id,
    name,
    hint,
    created_by: createdBy,
    created_at: isoTime(token.created),
    expires_at: isoTime(token.expires),
    used_at: used ? isoTime(used) : null,
    used_from: usedFrom,
  };
}
