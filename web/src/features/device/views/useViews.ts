import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { recall, remember } from '../../../lib/storage.ts';
import { forgetTerminal } from '../../../sockets/terminal/remembered.ts';
import { drop, freeNumber, look, numberOf, readState, tabOf, viewsOf, wantedOf, written } from './view-state.ts';
import type { Split, ViewId, ViewState } from './view-state.ts';

const store = () => sessionStorage;
const key = (device: string) => `warren.views.${device}`;

/** Where this tab remembers the terminal of a pane. The first pane shares its terminal with the console page. */
export const slotOf = (number: number, pane: 1 | 2): string =>
  `${number === 1 ? '' : `.${number}`}${pane === 1 ? '' : '.b'}`;

export interface ViewsControl {
  views: ViewId[];
  current: ViewId;
  state: ViewState;
  /** The address of a view, relative to the page. */
  hrefOf: (view: ViewId) => string;
  go: (view: ViewId) => void;
  close: (view: ViewId) => void;
  /** Null if the page has as many terminals as it may. */
  newTerminal: (() => void) | null;
  /** Splits the current terminal; null joins it again. */
  split: (split: Split | null) => void;
  dismiss: () => void;
  /** What the person calls the terminals of the tabs, by number; empty or absent without a name. */
  titles: Readonly<Partial<Record<number, string>>>;
  setTitle: (number: number, title: string) => void;
}

/** The views of the device page: the address says which one is shown, this tab remembers the terminals. */
export function useViews(device: string): ViewsControl {
  const [query, setQuery] = useSearchParams();
  const wanted = wantedOf(query);
  const asked = `${wanted.view} ${wanted.split}`;
  const [shown, setShown] = useState(asked);
  const [state, setState] = useState(() => look(readState(recall(key(device), store)), wanted));
  if (shown !== asked) {
    setShown(asked);
    setState(look(state, wanted));
  }
  const [titles, setTitles] = useState<ViewsControl['titles']>({});
  useEffect(() => remember(key(device), written(state), store), [device, state]);

  const queryOf = (view: ViewId, split: Split | undefined) => {
    const next = new URLSearchParams(query);
    put(next, 'tab', tabOf(view));
    put(next, 'split', split ?? null);
    return next;
  };
  const splitOf = (view: ViewId) => state.splits[numberOf(view) ?? 0];
  const go = (view: ViewId) => setQuery(queryOf(view, splitOf(view)));
  const free = freeNumber(state);
  return {
    views: viewsOf(state),
    current: wanted.view,
    state,
    hrefOf: (view) => `?${queryOf(view, splitOf(view))}`,
    go,
    close: (view) => {
      const number = numberOf(view);
      if (number !== undefined) for (const pane of [1, 2] as const) forgetTerminal(device + slotOf(number, pane));
      setState(drop(state, view));
      if (view !== wanted.view) return;
      const next = state.open.findLast((id) => id !== view) ?? 'overview';
      setQuery(queryOf(next, splitOf(next)), { replace: true });
    },
    newTerminal: free === undefined ? null : () => go(`terminal-${free}`),
    split: (split) => {
      const number = numberOf(wanted.view);
      if (number === undefined) return;
      if (split === null) forgetTerminal(device + slotOf(number, 2));
      setQuery(queryOf(wanted.view, split ?? undefined), { replace: true });
    },
    dismiss: () => setState({ ...state, closed: [] }),
    titles,
    setTitle: (number, title) =>
      setTitles((now) => ((now[number] ?? '') === title ? now : { ...now, [number]: title })),
  };
}

function put(query: URLSearchParams, name: string, value: string | null): void {
  if (value === null) query.delete(name);
  else query.set(name, value);
}
