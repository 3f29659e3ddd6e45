import type { FieldName } from '@warren/rules/filter/fields';
import type { DecidableFilter } from './decidable.filter.ts';
import type { Factor } from './label.sets.ts';

/** Fields that a kind of device has. */
const FIELDS: ReadonlySet<FieldName> = new Set(['os', 'kernel', 'arch', 'model', 'agent']);

/** Tells whether a part of a filter depends on nothing but the kind of a device: it is then decided once for each kind. */
export function isOfKind(filter: Factor): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.length > 0 && filter.terms.every(isOfKind);
    case 'not':
      return isOfKind(filter.term);
    case 'field':
      return FIELDS.has(filter.field);
    default:
      return false;
  }
}

/** Tells whether a filter has a part that the index of the search serves. */
export function isSearching(filter: DecidableFilter): boolean {
  return hasTerm(
    filter,
    (term) => term.kind === 'word' || (term.kind === 'field' && (term.field === 'serial' || term.field === 'address')),
  );
}

/** Tells whether a filter has a part that is decided for each kind. */
export function comparesKinds(filter: DecidableFilter): boolean {
  return hasTerm(filter, isOfKind);
}

function hasTerm(filter: DecidableFilter, holds: (term: DecidableFilter) => boolean): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.terms.some((term) => hasTerm(term, holds));
    case 'not':
      return hasTerm(filter.term, holds);
    default:
      return holds(filter);
  }
}
