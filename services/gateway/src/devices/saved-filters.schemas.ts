import { FilterUseKind, SortOrder } from '@warren/proto/common/v1/common';
import { SavedFilterScope, type SavedFilter } from '@warren/proto/devices/v1/filters';
import { savedColumns, savedFilterKey, savedFilterName } from '@warren/rules/filter/saved';
import { z } from 'zod';
import { doneSchema } from '../http/done.ts';
import { accountFilterSchema, booleanSchema, idSchema, orderSchema } from '../http/schemas.ts';
import { deviceSortSchema, filterText } from './device.schemas.ts';

const SCOPES = ['person', 'account'] as const;
const USES = ['alert_rule', 'alert_silence', 'grant', 'saved_filter'] as const;

const contentFields = {
  name: savedFilterName.describe('Not of another filter of the same person or account, in any case.'),
  filter: filterText,
  sort: deviceSortSchema,
  order: orderSchema,
  columns: savedColumns
    .default([])
    .describe(
      'Columns of the list: their ids, or `label:` and the key of a label. If empty, those that were chosen last.',
    ),
};

const EXAMPLE = {
  name: 'Hot in the north',
  filter: 'site=north temperature>70',
  sort: 'temperature' as const,
  order: 'desc' as const,
  columns: ['labels', 'temperature'],
};

export const saveFilterBody = z
  .object({
    ...contentFields,
    scope: z.enum(SCOPES).describe('For oneself, or for everybody who sees the devices of the account.'),
    account: idSchema.optional().describe('The account that shares it. If absent, your own.'),
    key: savedFilterKey
      .optional()
      .describe(
        'For an account: how other filters refer to it (`in:north`). It never changes. If absent, made of the name.',
      ),
  })
  .meta({ id: 'SaveFilter', examples: [{ ...EXAMPLE, scope: 'person' }] });
export type SaveFilterBody = z.output<typeof saveFilterBody>;

export const replaceFilterBody = z.object(contentFields).meta({ id: 'ReplaceFilter', examples: [EXAMPLE] });
export type ReplaceFilterBody = z.output<typeof replaceFilterBody>;

export const listFiltersQuery = z.object({
  account: accountFilterSchema.describe('The account whose shared filters are listed. Empty or ALL: your own.'),
  uses: booleanSchema
    .default(false)
    .describe('Whether to include the uses of each. 503 if alerts or grants are unavailable.'),
});
export type ListFiltersQuery = z.output<typeof listFiltersQuery>;

const savedFilterSchema = z
  .object({
    id: idSchema,
    name: z.string(),
    filter: z.string().describe('By the grammar of docs/filters.md. If empty, all devices.'),
    scope: z.enum(SCOPES),
    account: z.string().nullable().describe('The account that shares it; null for one of your own.'),
    sort: z.string().describe('The column that the list is sorted by.'),
    order: z.enum(['asc', 'desc']),
    columns: z.array(z.string()),
    key: z
      .string()
      .nullable()
      .describe('How other filters of the account refer to it (`in:north`). Null if they can’t.'),
    uses: z
      .array(
        z.object({
          kind: z.enum(USES),
          id: idSchema,
          name: z.string().describe('For people; of a grant its subject, of a silence its reason.'),
        }),
      )
      .nullable()
      .describe('Its uses that you can see. Null unless `uses=true`.'),
  })
  .meta({
    id: 'SavedFilter',
    examples: [
      {
        id: '01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f',
        ...EXAMPLE,
        scope: 'person',
        account: null,
        key: null,
        uses: null,
      },
    ],
  });

export const savedFilterListSchema = z
  .object({ filters: z.array(savedFilterSchema).describe('By name.') })
  .meta({ id: 'SavedFilterList' });

export const savedFilterAnswerSchema = doneSchema
  .extend({ result: savedFilterSchema })
  .meta({ id: 'SavedFilterAnswer' });

/** What a body saves, as the devices service takes it. */
export function contentMessage(body: ReplaceFilterBody) {
  const { name, filter, sort, order, columns } = body;
  return { name, filter, sort, order: order === 'desc' ? SortOrder.DESC : SortOrder.ASC, columns };
}

/** Where a new filter belongs. */
export function ownerMessage({ scope, account = '', key = '' }: SaveFilterBody) {
  return {
    scope: scope === 'account' ? SavedFilterScope.ACCOUNT : SavedFilterScope.PERSON,
    accountId: account,
    key,
  };
}

const USE_NAMES = {
  [FilterUseKind.ALERT_RULE]: 'alert_rule',
  [FilterUseKind.ALERT_SILENCE]: 'alert_silence',
  [FilterUseKind.GRANT]: 'grant',
  [FilterUseKind.SAVED_FILTER]: 'saved_filter',
} as const;

/** @param withUses whether they were asked for */
export function savedFilterJson(saved: SavedFilter, withUses = false): z.output<typeof savedFilterSchema> {
  const { id, name, filter, sort, columns, accountId } = saved;
  return {
    id,
    name,
    filter,
    scope: saved.scope === SavedFilterScope.ACCOUNT ? 'account' : 'person',
    account: accountId || null,
    sort: sort || 'status',
    order: saved.order === SortOrder.DESC ? 'desc' : 'asc',
    columns,
    key: saved.key || null,
    uses: withUses
      ? saved.uses.flatMap((use) =>
          use.kind === FilterUseKind.UNSPECIFIED ? [] : [{ kind: USE_NAMES[use.kind], id: use.id, name: use.name }],
        )
      : null,
  };
}
