import { z } from 'zod';
import { deviceText } from './facts.ts';
import { fieldOf, FILTER_FIELDS, type FieldName } from './filter/fields.ts';
import type { ReferringFilter } from './filter/filter.ts';
import { parseFilter, parseReferring } from './filter/parse.ts';
import { filterBy } from './filter/saved.ts';

/** What a grant gives on a device. Each one includes `view`. */
export const GRANT_PERMISSIONS = ['view', 'terminal', 'desktop', 'web', 'manage'] as const;
export type GrantPermission = (typeof GRANT_PERMISSIONS)[number];

/** Bounds of grants: of one account, and of the texts of one grant. Callers carry their grants, so they stay small. */
export const GRANT_LIMITS = { perAccount: 200, filter: 500, note: 200, years: 10 } as const;

const YEAR_MS = 365 * 86_400_000;

/** A right must not come and go with load or time; and a grant is of one account anyway. */
function isFit(name: FieldName): boolean {
  return fieldOf(name).volatile === undefined && name !== 'account';
}

const FIT = Object.keys(FILTER_FIELDS).filter((name) => isFit(name as FieldName));

/** Says what a grant can't select by; undefined if it can select by all of the filter. What saved filters select by is not looked at. */
export function unfitForGrants(filter: ReferringFilter): string | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.map(unfitForGrants).find((text) => text !== undefined);
    case 'not':
      return unfitForGrants(filter.term);
    case 'field': {
      const { field, value } = filter;
      const isAge = field === 'created' && typeof value === 'object' && 'age' in value;
      if (isAge) return 'created takes a date in a grant, such as created>2026-11-24, since an age passes.';
      if (!isFit(field)) return `A grant can’t select by ${field}: expected labels, words, or ${FIT.join(', ')}.`;
      return undefined;
    }
    default:
      return undefined;
  }
}

const OF_GRANT = { text: z.string().trim(), most: GRANT_LIMITS.filter, unfit: unfitForGrants };

/** What an access request is for; empty for every device of the account. */
export const grantFilter = filterBy(parseFilter, OF_GRANT);

/** The filter of a grant, which may name saved filters of the account; empty for every device of the account. */
export const referringGrantFilter = filterBy(parseReferring, OF_GRANT);

/** The permissions of a grant, each once, `view` always. */
export const grantPermissions = z
  .array(z.enum(GRANT_PERMISSIONS, `expected ${GRANT_PERMISSIONS.join(', ')}`))
  .min(1, 'expected at least one permission')
  .transform((names) => GRANT_PERMISSIONS.filter((name) => name === 'view' || names.includes(name)));

/** When a grant expires: a time from now to ten years. */
export const grantExpiry = z
  .date('expected a time')
  .refine(
    (time) => time.getTime() > Date.now() && time.getTime() < Date.now() + GRANT_LIMITS.years * YEAR_MS,
    `expected a time in the future, within ${GRANT_LIMITS.years} years`,
  );

/** What people note about a grant. */
export const grantNote = deviceText(GRANT_LIMITS.note).trim();
