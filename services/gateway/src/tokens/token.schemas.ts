import type { Token } from '@warren/proto/identity/v1/tokens';
import { isAction } from '@warren/platform/policy/policy';
import { filterText } from '@warren/rules/filter/saved';
import { TOKEN_LIMITS, tokenDays, tokenName } from '@warren/rules/tokens';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { accountFilterSchema, idSchema, isoTime, pageFields, timeSchema, totalSchema } from '../http/schemas.ts';
import { FLEET } from '../http/example.fleet.ts';

const permission = z
  .string()
  .max(64)
  .refine(isAction, 'expected a permission, such as devices.read')
  .meta({
    description: 'A permission of the policy, as `permissions` of the session lists them.',
    examples: ['devices.read'],
  });

export const createTokenBody = z
  .object({
    name: tokenName.meta({ description: 'What you call it.', examples: ['Nightly inventory'] }),
    permissions: z.array(permission).min(1, 'expected at least one permission').max(TOKEN_LIMITS.permissions).meta({
      description: 'Permissions that you have. Those that go with them are added: reading what may be changed.',
    }),
    filter: filterText.default('').meta({
      description:
        'Limits the token to the devices that a filter holds for. It can then read and open those, and do nothing else.',
      examples: ['site=north'],
    }),
    days: tokenDays.meta({ description: `Days until it expires, 1 to ${TOKEN_LIMITS.days}.`, examples: [90] }),
  })
  .meta({
    id: 'CreateToken',
    examples: [{ name: 'Nightly inventory', permissions: ['devices.read'], filter: 'site=north', days: 28 }],
  });
export type CreateTokenBody = z.output<typeof createTokenBody>;

export const listTokensQuery = z.object({ ...pageFields(), account: accountFilterSchema });
export type ListTokensQuery = z.output<typeof listTokensQuery>;

const tokenSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    owner: z
      .object({
        id: idSchema,
        email: z.string().describe('The handle of a service account.'),
        service_account: z.string().describe('Its name; empty for a user.'),
      })
      .describe('The user or service account whose it is, who it may never do more than.'),
    account: idSchema,
    permissions: z.array(z.string()),
    filter: z.string().describe('The devices that it is limited to; empty for no limit.'),
    hint: z
      .string()
      .describe('The first characters of the token.')
      .meta({ examples: ['wrn_4fTa'] }),
    created_at: timeSchema,
    expires_at: timeSchema,
    used_at: timeSchema.nullable().describe('When it was last used, accurate to a minute; null if never.'),
    used_from: z.string().describe('IP address of that use; empty if never.'),
  })
  .meta({
    id: 'Token',
    examples: [
      {
        id: FLEET.id,
        name: 'Nightly inventory',
        owner: { id: FLEET.member.id, email: FLEET.member.email, service_account: '' },
        account: FLEET.account.id,
        permissions: ['devices.read'],
        filter: 'site=north',
        hint: 'wrn_4fTa',
        created_at: FLEET.at,
        expires_at: FLEET.later,
        used_at: null,
        used_from: '',
      },
    ],
  });

export const ownTokenListSchema = z
  .object({ tokens: z.array(tokenSchema) })
  .meta({ id: 'OwnTokenList', description: 'Newest first; those that have expired too.' });

export const tokenListSchema = z
  .object({ total: totalSchema, tokens: z.array(tokenSchema) })
  .meta({ id: 'TokenList', description: 'Newest first; those that have expired too.' });

export const tokenCreatedSchema = doneSchema
  .extend({
    result: tokenSchema,
    secret: z
      .string()
      .describe('The token. It is not shown again.')
      .meta({ examples: ['wrn_…'] }),
  })
  .meta({ id: 'TokenCreated' });

export function tokenJson(token: Token): z.output<typeof tokenSchema> {
  const { id, name, userId, email, serviceAccount, accountId: account, permissions, filter, hint } = token;
  const { used, usedFrom } = token;
  return {
    id,
    name,
    account,
    permissions,
    filter,
    hint,
    owner: { id: userId, email, service_account: serviceAccount },
    created_at: isoTime(token.created),
    expires_at: isoTime(token.expires),
    used_at: used ? isoTime(used) : null,
    used_from: usedFrom,
  };
}
