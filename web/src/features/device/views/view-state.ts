/** Where the second pane of a terminal tab is. */
export type Split = 'right' | 'below';
/** A view of the device page. Terminals have numbers. */
export type ViewId = 'overview' | `terminal-${number}` | 'desktop' | 'web' | 'logs';

/** Panes and views that keep a connection; each has its own buffers. */
export const MOST_OPEN = 6;
/** Terminal tabs of a page. */
export const MOST_TERMINALS = 8;

export interface ViewState {
  /** Numbers of the terminal tabs, ascending; at least 1. */
  terminals: readonly number[];
  splits: Readonly<Partial<Record<number, Split>>>;
  /** Views with a connection, the longest unseen first. */
  open: readonly ViewId[];
  /** Views that were closed to make room. */
  closed: readonly ViewId[];
}

/** What an address asks for. */
export interface Wanted {
  view: ViewId;
  split: Split | undefined;
}

const TERMINAL = /^terminal(?:-([1-9]))?$/;

/** The number of a terminal view; undefined for another view. */
export function numberOf(view: string): number | undefined {
  const [, digit = '1'] = TERMINAL.exec(view) ?? [undefined, ''];
  return digit === '' ? undefined : Number(digit);
}

/** Reads the view and its split from an address; everything unknown leads to the overview. */
export function wantedOf(query: URLSearchParams): Wanted {
  const tab = query.get('tab') ?? '';
  const number = numberOf(tab);
  if (number === undefined || number > MOST_TERMINALS) {
    return { view: tab === 'desktop' || tab === 'web' || tab === 'logs' ? tab : 'overview', split: undefined };
  }
  const split = query.get('split');
  return { view: `terminal-${number}`, split: split === 'right' || split === 'below' ? split : undefined };
}

/** The value of `tab` in an address; null for the overview. */
export function tabOf(view: ViewId): string | null {
  if (view === 'overview') return null;
  return view === 'terminal-1' ? 'terminal' : view;
}

/** Every view of the page, in the order of its tabs. */
export const viewsOf = ({ terminals }: Pick<ViewState, 'terminals'>): ViewId[] => [
  'overview',
  ...terminals.map((number): ViewId => `terminal-${number}`),
  'desktop',
  'web',
  'logs',
];

/** Panes of a view. */
function weightOf(view: ViewId, splits: ViewState['splits']): number {
  const number = numberOf(view);
  return number !== undefined && splits[number] ? 2 : 1;
}

/** Shows a view: opens it if it is not, and closes the longest unseen ones beyond {@link MOST_OPEN}. */
export function look(state: ViewState, { view, split }: Wanted): ViewState {
  const number = numberOf(view);
  const terminals =
    number === undefined || state.terminals.includes(number)
      ? state.terminals
      : [...state.terminals, number].sort((a, b) => a - b);
  const splits = number === undefined ? state.splits : withSplit(state.splits, number, split);
  const others = state.open.filter((id) => id !== view);
  let open = view === 'overview' ? state.open : [...others, view];
  const closed = state.closed.filter((id) => id !== view);
  const weight = () => open.reduce((sum, id) => sum + weightOf(id, splits), 0);
  while (weight() > MOST_OPEN && open.length > 1) {
    closed.push(...open.slice(0, 1));
    open = open.slice(1);
  }
  return { terminals, splits, open, closed };
}

/** Closes a view at the person's request; another terminal than the first loses its tab too. */
export function drop(state: ViewState, view: ViewId): ViewState {
  const number = numberOf(view);
  return {
    terminals: state.terminals.filter((one) => one === 1 || one !== number),
    splits: number === undefined ? state.splits : withSplit(state.splits, number, undefined),
    open: state.open.filter((id) => id !== view),
    closed: state.closed.filter((id) => id !== view),
  };
}

function withSplit(splits: ViewState['splits'], number: number, split: Split | undefined): ViewState['splits'] {
  const { [number]: _former, ...rest } = splits;
  return split ? { ...rest, [number]: split } : rest;
}

/** The lowest number without a tab; undefined if the page has as many as it may. */
export function freeNumber({ terminals }: Pick<ViewState, 'terminals'>): number | undefined {
  for (let number = 1; number <= MOST_TERMINALS; number++) if (!terminals.includes(number)) return number;
  return undefined;
}

/** Writes the terminal tabs for the next load of the page: `1 2:right`. */
export const written = ({ terminals, splits }: ViewState): string =>
  terminals.map((number) => (splits[number] ? `${number}:${splits[number]}` : String(number))).join(' ');

/** Reads what {@link written} wrote; anything else is one terminal tab. */
export function readState(text: string | null): ViewState {
  const terminals = new Set([1]);
  const splits: Partial<Record<number, Split>> = {};
  for (const part of (text ?? '').split(' ')) {
    const [, digit, split] = /^([1-8])(?::(right|below))?$/.exec(part) ?? [];
    if (digit === undefined) continue;
    terminals.add(Number(digit));
    if (split) splits[Number(digit)] = split as Split;
  }
  return { terminals: [...terminals].sort((a, b) => a - b), splits, open: [], closed: [] };
}
