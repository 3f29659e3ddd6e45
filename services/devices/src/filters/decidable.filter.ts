import type { FilterOf, FilterTerm } from '@warren/rules/filter/filter';

/** The device is in one of these accounts. */
interface InAccounts {
  kind: 'in_accounts';
  ids: readonly string[];
}

/** A filter whose saved filters are expanded, each for the devices of its account alone. */
export type DecidableFilter = FilterOf<FilterTerm | InAccounts>;
