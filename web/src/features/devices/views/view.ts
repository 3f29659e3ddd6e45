import type { SavedFilter } from '../../../lib/api/types.ts';
import { mayLabelDevice } from '../../../lib/device-access.ts';
import type { ListState } from '../../../lib/list-state.ts';
import type { Session } from '../../../lib/session.ts';
import { textOf } from '../filter/filter-state.ts';
import type { DeviceColumn, DeviceSort } from '../column-ids.ts';

/** What a view keeps of the list. */
export interface Shown {
  filter: string;
  sort: DeviceSort;
  order: 'asc' | 'desc';
  columns: string[];
}

/** The list as the address has it. */
export function shownOf(state: ListState, columns: readonly DeviceColumn[]): Shown {
  return { filter: textOf(state).trim(), sort: state.sort as DeviceSort, order: state.order, columns: [...columns] };
}

/** What a view keeps. */
export function contentOf({ filter, sort, order, columns }: SavedFilter): Shown {
  return { filter, sort: sort as DeviceSort, order, columns };
}

/** Whether the list shows what a view keeps; one without columns leaves them as they are. */
export function isUnchanged(view: SavedFilter, shown: Shown): boolean {
  const sameColumns = view.columns.length === 0 || view.columns.join() === shown.columns.join();
  return view.filter === shown.filter && view.sort === shown.sort && view.order === shown.order && sameColumns;
}

/** The address' query for a view. */
export function queryOf({ id, filter, sort, order, columns }: SavedFilter): string {
  const query = new URLSearchParams({ view: id });
  if (filter !== '') query.set('filter', filter);
  if (sort !== 'status') query.set('sort', sort);
  if (order === 'desc') query.set('order', order);
  if (columns.length > 0) query.set('columns', columns.join());
  return `?${query.toString()}`;
}

/** An own view is one's own; one of an account is of those who label its devices. */
export function mayChange(session: Session, { account }: SavedFilter): boolean {
  return account === null || mayLabelDevice(session, account);
}
