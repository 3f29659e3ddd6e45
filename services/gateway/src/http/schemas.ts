import { create } from '@bufbuild/protobuf';
import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import { errorText } from '@warren/platform/errors/error.text';
import { PageRequestSchema, SortOrder, type PageRequest } from '@warren/proto/common/v1/common';
import { z } from 'zod';
import { MAX_PAGE, PAGE, SEARCH } from './limits.ts';

/** An id: a UUID, created as version 7 (RFC 9562). */
export const idSchema = z
  .guid('expected an id such as 01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f')
  .toLowerCase()
  .meta({
    description: 'UUID version 7.',
    examples: ['01997b5c-2f4e-7d3a-9c51-0a2b3c4d5e6f'],
  });

/** A boolean of a query. */
export const booleanSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

/** `Yes` or `No`, the specification's booleans. */
export const yesNoSchema = z.enum(['Yes', 'No']);

export function yesNo(value: boolean): 'Yes' | 'No' {
  return value ? 'Yes' : 'No';
}

/** A time: ISO 8601 in UTC. */
export const timeSchema = z.iso
  .datetime('expected a time in UTC such as 2026-01-31T08:15:30.000Z')
  .meta({ examples: ['2026-01-31T08:15:30.000Z'] });

/** Formats a time of a service as ISO 8601; a missing one as the start of 1970. */
export function isoTime(time: Timestamp | undefined): string {
  return time ? timestampDate(time).toISOString() : new Date(0).toISOString();
}

/** How many there are on all pages of a list. */
export const totalSchema = z.int().meta({ examples: [1] });

const isId = (text: string) => idSchema.safeParse(text).success;

/** The account to read; empty or `ALL` for all that the caller may see. */
export const accountFilterSchema = z
  .string()
  .refine((text) => ['', 'ALL'].includes(text) || isId(text), 'expected the id of an account, or ALL')
  .default('')
  .transform((account) => (account === 'ALL' ? '' : account.toLowerCase()))
  .describe('Id of an account. Empty or ALL: every account that you may see.');

/** Hours of counts to read; they are kept for a week. */
export const hoursSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(168)
  .default(24)
  .describe('How far to look back: 1 to 168 hours.');

/** The group to read; empty for all. */
export const groupFilterSchema = z
  .string()
  .refine((text) => text === '' || isId(text), 'expected the id of a group')
  .default('')
  .describe('Id of a group. Empty: all of them.');

/** Query fields of a list: page from 1, a capped limit, and a search of at least 2 characters. */
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

/** Converts a list's query to the page request of the services. */
export function pageRequest(query: {
  page: number;
  limit: number;
  search?: string;
  order?: 'asc' | 'desc';
}): PageRequest {
  const { page, limit, search = '', order = 'asc' } = query;
  return create(PageRequestSchema, { page, limit, search, order: order === 'asc' ? SortOrder.ASC : SortOrder.DESC });
}

/** The response to every refused or failed call. */
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
