import { Fault } from '@warren/platform/errors/fault';
import { ScimAttribute } from '@warren/proto/tenancy/v1/scim';
import { SCIM_LIMITS } from '@warren/rules/scim';
import { parse, type Filter } from 'scim2-parse-filter';
import { z } from 'zod';
import { idSchema } from '../http/schemas.ts';
import { ScimFault } from '../http/scim.fault.ts';

/** Maps, so that `constructor` names no attribute. */
const GROUP: ReadonlyMap<string, ScimAttribute> = new Map([
  ['id', ScimAttribute.ID],
  ['externalid', ScimAttribute.EXTERNAL_ID],
  ['displayname', ScimAttribute.DISPLAY_NAME],
]);
const USER: ReadonlyMap<string, ScimAttribute> = new Map([
  ...GROUP,
  ['username', ScimAttribute.USER_NAME],
  ['emails', ScimAttribute.EMAIL],
  ['emails.value', ScimAttribute.EMAIL],
]);
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

/** Checks the id of a path. @throws Fault `not_found`: what has no form of an id is none of a resource */
export function scimId(id: string): string {
  if (idSchema.safeParse(id).success) return id;
  throw new Fault('not_found', 'expected the id of a resource.');
}

const NO_FILTER = { attribute: ScimAttribute.UNSPECIFIED, value: '' };
const names = (list: string) =>
  list
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
const excludes = (wanted: readonly string[]) => wanted.length > 0 && !wanted.some((one) => one.startsWith('members'));

function comparisonOf(text: string, attributes: ReadonlyMap<string, ScimAttribute>) {
  const filter = flattened(parsedFilter(text, 'invalidFilter'));
  const attribute = attributes.get(filter.attrPath.replace(URN, '').toLowerCase());
  if (attribute === undefined || filter.op !== 'eq' || typeof filter.compValue !== 'string')
    throw new ScimFault(
      'invalidFilter',
      `expected one eq with a text, on one of ${[...attributes.keys()].join(', ')}.`,
    );
  // The parser doubles each backslash.
  return { attribute, value: filter.compValue.replaceAll('\\\\', '\\') };
}

interface Comparison {
  op: string;
  attrPath: string;
  compValue?: unknown;
}

const NO_COMPARISON: Comparison = { op: '', attrPath: '' };

/**
 * `emails[value eq "x"]` and `emails[type eq "work"].value eq "x"`, which the parser makes an `and` of, are `emails.value eq "x"`: the type of
 * an address says nothing here.
 */
function flattened(filter: Filter): Comparison {
  if (filter.op === 'and') return flattenedPath(filter.filters);
  if (filter.op !== '[]') return 'attrPath' in filter ? filter : NO_COMPARISON;
  const { attrPath, valFilter } = filter;
  const inner = valFilter.op === 'and' ? valFilter.filters.filter((one) => !isType(one)) : [valFilter];
  const [only, ...others] = inner.map(flattened);
  return only && others.length === 0 ? { ...only, attrPath: `${attrPath}.${only.attrPath}` } : NO_COMPARISON;
}

function flattenedPath([selection, comparison, ...others]: readonly Filter[]): Comparison {
  if (selection?.op !== '[]' || !isType(selection.valFilter) || !comparison || others.length > 0) return NO_COMPARISON;
  const found = flattened(comparison);
  return found.attrPath.startsWith(`${selection.attrPath}.`) ? found : NO_COMPARISON;
}

const isType = (filter: Filter) => 'attrPath' in filter && filter.attrPath.toLowerCase() === 'type';

/**
 * Parses a filter of bounded length, so that its nesting is bounded too. Without control characters: the parser's time doubles with each line
 * break inside an open quote.
 * @throws ScimFault `type`
 */
export function parsedFilter(text: string, type: 'invalidFilter' | 'invalidPath'): Filter {
  if (text.length > SCIM_LIMITS.filter)
    throw new ScimFault(type, `expected at most ${SCIM_LIMITS.filter} characters of a filter.`);
  if (/\p{Cc}/u.test(text) || !text.isWellFormed())
    throw new ScimFault(type, 'expected a filter without control characters.');
  try {
    return parse(text);
  } catch {
    throw new ScimFault(type, 'expected a filter, such as userName eq "ann@example.com".');
  }
}
