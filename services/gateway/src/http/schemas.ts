import { create } from '@bufbuild/protobuf';
import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { errorText } from '@warren/platform/errors/error.text';
import { PageRequestSchema, SortOrder, type PageRequest } from '@warren/proto/common/v1/common';
import { z } from 'zod';
import { MAX_PAGE, PAGE, SEARCH } from './limits.ts';

/** The id of anything: a UUID, made by Warren as version 7 (RFC 9562). */
export const idSchema = z.guid('expected an id such as 01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f').meta({
  description: 'UUID version 7.',
  examples: ['01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f'],
});

/** `Yes` or `No`, as the specification spells a switch. */
export const yesNoSchema = z.enum(['Yes', 'No']);

export function yesNo(value: boolean): 'Yes' | 'No' {
  return value ? 'Yes' : 'No';
}

/** A moment: ISO 8601 in UTC. */
export const timeSchema = z.iso.datetime().meta({ examples: ['2026-01-31T08:15:30.000Z'] });

/** A moment that a service must give, as ISO 8601. */
export function isoTime(time: Timestamp | undefined): string {
  return time ? timestampDate(time).toISOString() : new Date(0).toISOString();
}

const isId = (text: string) => idSchema.safeParse(text).success;

/** An account to look at; empty or `ALL` for every account that the caller may see. */
export const accountFilterSchema = z
  .string()
  .refine((text) => ['', 'ALL'].includes(text) || isId(text), 'expected the id of an account, or ALL')
  .default('')
  .transform((account) => (account === 'ALL' ? '' : account))
  .describe('Id of an account. Empty or ALL: every account that you may see.');

/** How far to look back in counts, which are kept for a week. */
export const hoursSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(168)
  .default(24)
  .describe('How far to look back: 1 to 168 hours.');

/** A group to look at; empty for all of them. */
export const groupFilterSchema = z
  .string()
  .refine((text) => text === '' || isId(text), 'expected the id of a group')
  .default('')
  .describe('Id of a group. Empty: all of them.');

/** Query fields of a list: page from 1, a limit that is capped rather than refused, and a search that counts from 2 characters. */
export const pageFields = (limit: number = PAGE.default) => ({
  page: z.coerce.number().int().min(1).max(MAX_PAGE).default(1).describe('Starts at 1.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(limit)
    .transform((wanted) => Math.min(wanted, PAGE.max))
    .describe(`Entries on a page; more than ${PAGE.max} count as ${PAGE.max}.`),
  search: z
    .string()
    .trim()
    .max(SEARCH.max)
    .default('')
    .transform((text) => (text.length < SEARCH.min ? '' : text))
    .describe(`Ignored below ${SEARCH.min} characters.`),
});

export const orderSchema = z.enum(['asc', 'desc']).default('asc');

/** The page that a list's query asks for, as the services understand it. */
export function pageRequest(query: {
  page: number;
  limit: number;
  search?: string;
  order?: 'asc' | 'desc';
}): PageRequest {
  const { page, limit, search = '', order = 'asc' } = query;
  return create(PageRequestSchema, { page, limit, search, order: order === 'asc' ? SortOrder.ASC : SortOrder.DESC });
}

/** What every refused or failed call answers (decisions, 'Errors'). */
export const errorSchema = z
  .object({
    statusCode: z.int(),
    code: z.string().describe('What clients decide by, such as not_found or permission_denied.'),
    message: z.string().describe('For people; reads `prefix: text`. The text is whole, without the value that came.'),
    errors: z
      .array(
        z.object({
          field: z.string(),
          message: z.string().describe('What was expected.'),
          value: z.string().optional().describe('What came, as JSON, cut. Not there for secrets.'),
        }),
      )
      .optional()
      .describe('The fields that were wrong.'),
  })
  .meta({
    id: 'ErrorAnswer',
    examples: [
      {
        statusCode: 404,
        code: 'not_found',
        message: errorText('not_found', 'device 01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f.'),
      },
    ],
  });
