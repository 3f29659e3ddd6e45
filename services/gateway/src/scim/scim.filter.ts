import { ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import { SCIM_LIMITS } from '@warren/rules/scim';
import { parse, type Filter } from 'scim2-parse-filter';
import { z } from 'zod';
import { ScimFault } from '../http/scim.fault.ts';

const USER: Readonly<Record<string, ScimAttribute>> = {
  id: ScimAttribute.ID,
  username: ScimAttribute.USER_NAME,
  externalid: ScimAttribute.EXTERNAL_ID,
  displayname: ScimAttribute.DISPLAY_NAME,
  emails: ScimAttribute.EMAIL,
  'emails.value': ScimAttribute.EMAIL,
};
const GROUP: Readonly<Record<string, ScimAttribute>> = {
  id: ScimAttribute.ID,
  externalid: ScimAttribute.EXTERNAL_ID,
  displayname: ScimAttribute.DISPLAY_NAME,
};
const URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;

/** A list that a client asks for. */
export interface ScimQuery {
  attribute: ScimAttribute;
  value: string;
  offset: number;
  limit: number;
  withoutMembers: boolean;
}

const MAX_INDEX = 1_000_000;
const whole = (otherwise: number) => z.coerce.number().int().catch(otherwise);
const schema = z.object({
  filter: z.string().optional(),
  // Values below 1 count as 1, and a negative count as 0 (RFC 7644, section 3.4.2.4).
  startIndex: whole(1).transform((one) => Math.min(Math.max(one, 1), MAX_INDEX)),
  count: whole(SCIM_LIMITS.page).transform((one) => Math.min(Math.max(one, 0), SCIM_LIMITS.page)),
  attributes: z.string().max(1_000).default(''),
  excludedAttributes: z.string().max(1_000).default(''),
});

/**
 * Reads the query of a list: one `eq` on one attribute, or none.
 * @throws ScimFault `invalidFilter`
 */
export function scimQuery(query: unknown, of: 'User' | 'Group'): ScimQuery {
  const parsed = schema.safeParse(query);
  if (!parsed.success) throw new ScimFault('invalidValue', 'expected each parameter of the query once.');
  const { filter, startIndex, count, attributes, excludedAttributes } = parsed.data;
  const found = filter === undefined ? NO_FILTER : comparisonOf(filter, of === 'User' ? USER : GROUP);
  const withoutMembers = names(excludedAttributes).includes('members') || excludes(names(attributes));
  return { ...found, offset: startIndex - 1, limit: count, withoutMembers };
}

const NO_FILTER = { attribute: ScimAttribute.UNSPECIFIED, value: '' };
const names = (list: string) =>
  list
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
const excludes = (wanted: readonly string[]) => wanted.length > 0 && !wanted.some((one) => one.startsWith('members'));

function comparisonOf(text: string, attributes: Readonly<Record<string, ScimAttribute>>) {
  const filter = flattened(parsedFilter(text, 'invalidFilter'));
  const attribute = attributes[filter.attrPath.replace(URN, '').toLowerCase()];
  if (attribute === undefined || filter.op !== 'eq' || typeof filter.compValue !== 'string')
    throw new ScimFault(
      'invalidFilter',
      `expected one eq with a text, on one of ${Object.keys(attributes).join(', ')}.`,
    );
  return { attribute, value: filter.compValue };
}

/** `emails[value eq "x"]` is `emails.value eq "x"`; the type of an address says nothing here. */
function flattened(filter: Filter): { op: string; attrPath: string; compValue?: unknown } {
  if ('attrPath' in filter && filter.op !== '[]') return filter;
  if (filter.op !== '[]') return { op: filter.op, attrPath: '' };
  const inner = filter.valFilter.op === 'and' ? filter.valFilter.filters.filter(isNoType) : [filter.valFilter];
  const [only, ...others] = inner.map(flattened);
  if (!only || others.length > 0) return { op: 'and', attrPath: '' };
  return { ...only, attrPath: `${filter.attrPath}.${only.attrPath}` };
}

const isNoType = (filter: Filter) => !('attrPath' in filter) || filter.attrPath.toLowerCase() !== 'type';

/** Parses a filter of bounded length, so that its nesting is bounded too. @throws ScimFault `type` */
export function parsedFilter(text: string, type: 'invalidFilter' | 'invalidPath'): Filter {
  if (text.length > SCIM_LIMITS.filter)
    throw new ScimFault(type, `expected at most ${SCIM_LIMITS.filter} characters of a filter.`);
  try {
    return parse(text);
  } catch {
    throw new ScimFault(type, 'expected a filter, such as userName eq "ann@example.com".');
  }
}
