import { useSearchParams } from 'react-router';
import { keys, recall, remember } from '../../lib/storage.ts';
import { OPTIONAL_COLUMNS, USUAL_COLUMNS, type OptionalColumn } from './columns.tsx';

/** The chosen columns: of the address, so that a link shows the same, else those that this browser remembers. */
export function useColumns(): [readonly OptionalColumn[], (columns: readonly OptionalColumn[]) => void] {
  const [query, setQuery] = useSearchParams();
  const chosen = columnsOf(query.get('columns') ?? recall(keys.deviceColumns)) ?? USUAL_COLUMNS;
  const choose = (columns: readonly OptionalColumn[]) => {
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

function columnsOf(text: string | null): readonly OptionalColumn[] | undefined {
  if (text === null) return undefined;
  const names = text.split(',');
  return OPTIONAL_COLUMNS.filter((id) => names.includes(id));
}
