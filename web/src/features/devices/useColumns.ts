import { useSearchParams } from 'react-router';
import { keys, recall, remember } from '../../lib/storage.ts';
import { knownColumns, USUAL_COLUMNS, type DeviceColumn } from './column-ids.ts';

/** The chosen columns: of the address, so that a link shows the same, else those that this browser remembers. */
export function useColumns(): [readonly DeviceColumn[], (columns: readonly DeviceColumn[]) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = columnsOf(query.get('columns') ?? recall(keys.deviceColumns)) ?? USUAL_COLUMNS;
  const choose = (columns: readonly DeviceColumn[]) => {
    remember(keys.deviceColumns, columns.join());
    setQuery(
      (now) => {
        const next = new URLSearchParams(now);
        next.set('columns', columns.join());
        return next;
      },
      { replace: true },
    );
  };
  return [chosen, choose];
}

function columnsOf(text: string | null): readonly DeviceColumn[] | undefined {
  if (text === null) return undefined;
  return knownColumns(text.split(','));
}
