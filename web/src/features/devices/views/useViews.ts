import { parseReferring } from '@warren/rules/filter/parse';
import { useSearchParams } from 'react-router';
import { ALL } from '../../../lib/access.ts';
import { deviceActionsApi } from '../../../lib/api/device-actions.ts';
import type { SavedFilter } from '../../../lib/api/types.ts';
import type { ListState } from '../../../lib/list-state.ts';
import { useSession } from '../../../lib/session.ts';
import type { DeviceColumn } from '../column-ids.ts';
import { isUnchanged, mayChange, shownOf, type Shown } from './view.ts';

export interface Views {
  /** Undefined until they are loaded. */
  views: readonly SavedFilter[] | undefined;
  failed: boolean;
  /** The view in the address. */
  current: SavedFilter | undefined;
  shown: Shown;
  /** What the list shows can be kept: its filter can be parsed. */
  canSave: boolean;
  /** What the list shows is worth saving: a filter that no view has, or a view that was changed. */
  isUnsaved: boolean;
  /** The view in the address was changed, and the person may save that. */
  mayUpdate: boolean;
  /** Puts a view into the address, or takes it out of there. */
  open: (id: string | undefined) => void;
}

/** Saved views of an account's list, and how the list differs from the one in the address. */
export function useViews(account: string, state: ListState, columns: readonly DeviceColumn[]): Views {
  const session = useSession();
  const [query, setQuery] = useSearchParams();
  const { currentData, isError } = deviceActionsApi.useListSavedFiltersQuery(account === ALL ? {} : { account });
  const current = currentData?.filters.find(({ id }) => id === query.get('view'));
  const shown = shownOf(state, columns);
  const canSave = parseReferring(shown.filter).ok;
  const differs = current ? !isUnchanged(current, shown) : currentData !== undefined && shown.filter !== '';
  const isUnsaved = canSave && differs;
  return {
    views: currentData?.filters,
    failed: isError && !currentData,
    current,
    shown,
    canSave,
    isUnsaved,
    mayUpdate: isUnsaved && current !== undefined && mayChange(session, current),
    open: (id) =>
      setQuery(
        (now) => {
          const next = new URLSearchParams(now);
          if (id === undefined) next.delete('view');
          else next.set('view', id);
          return next;
        },
        { replace: true },
      ),
  };
}
